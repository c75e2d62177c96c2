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

  it.each([
    ['SUSPENDED', 'Your account is suspended.'],
    ['RESERVED_NAME', 'This name is reserved. Please choose another one.'],
    ['HIDDEN_CHARACTERS', 'Please use visible characters only'],
    ['NAME_TOO_LONG', 'Please use a shorter name'],
  ] as const)('%s says what has to change, because trying again would not help', (code, message) => {
    expect(describeSave(new AppError(code, message, 400))).toBe(message);
  });
});
