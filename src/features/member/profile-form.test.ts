import { AppError } from '@/lib/errors';
import { profileRow } from '@/lib/testing/rows';
import { initialProfile, saveFailure } from './profile-form';

const person = { name: 'Robin Reed', email: 'robin.reed@example.org' };

it('PROF-05 the default username is the part of the e-mail before the at-sign', () => {
  expect(initialProfile(null, person)).toEqual({
    displayName: 'Robin Reed',
    username: 'robin.reed',
    email: 'robin.reed@example.org',
  });
});

it('starts with what is saved', () => {
  expect(initialProfile(profileRow({ username: 'rr', display_name: null, email: null }), person)).toEqual({
    displayName: 'Robin Reed',
    username: 'rr',
    email: 'robin.reed@example.org',
  });
});

describe('PROF-04 failures', () => {
  it('read as specified', () => {
    expect(saveFailure(new TypeError('Failed to fetch'))).toBe('Failed to update profile. Please try again.');
    expect(saveFailure(new AppError('SESSION_EXPIRED', 'x', 401))).toBe('Please sign in to update your profile');
    expect(saveFailure(new AppError('UNAUTHENTICATED', 'x', 401))).toBe('Please sign in to update your profile');
  });

  it('say that an account is suspended', () => {
    expect(saveFailure(new AppError('SUSPENDED', 'Your account is suspended.', 403))).toBe(
      'Your account is suspended.',
    );
  });
});
