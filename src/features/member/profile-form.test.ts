import { AppError, describeError } from '@/lib/errors';
import { profileRow } from '@/lib/testing/rows';
import { initialProfile, saveProfileErrors } from './profile-form';

const describeSave = (error: unknown) => describeError(error, saveProfileErrors);
const person = { name: 'Robin Reed', email: 'robin.reed@example.org' };

it('PROF-05 the default username is the local part of the e-mail', () => {
  expect(initialProfile(null, person)).toEqual({
    displayName: 'Robin Reed',
    username: 'robin.reed',
    email: 'robin.reed@example.org',
  });
});

it('starts with the saved values', () => {
  expect(initialProfile(profileRow({ username: 'rr', display_name: null, email: null }), person)).toEqual({
    displayName: 'Robin Reed',
    username: 'rr',
    email: 'robin.reed@example.org',
  });
});

describe('PROF-04 failures', () => {
  it('are worded as specified', () => {
    expect(describeSave(new TypeError('Failed to fetch'))).toBe('Failed to update profile. Please try again.');
    expect(describeSave(new AppError('SESSION_EXPIRED', 'x', 401))).toBe('Please sign in to update your profile');
    expect(describeSave(new AppError('UNAUTHENTICATED', 'x', 401))).toBe('Please sign in to update your profile');
  });

  it('say that an account is suspended', () => {
    expect(describeSave(new AppError('SUSPENDED', 'Your account is suspended.', 403))).toBe(
      'Your account is suspended.',
    );
  });
});
