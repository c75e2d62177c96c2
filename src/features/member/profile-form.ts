import type { Profile, ProfileInput } from '@/features/account';
import type { ErrorOverrides } from '@/lib/errors';

type Person = { name: string; email: string };

/**
 * Initial values of the forms. Before the first sync, the provider's name and the local part of the e-mail address
 * (PROF-05).
 */
export function initialProfile(profile: Profile | null, person: Person): ProfileInput {
  const email = profile?.email ?? person.email;
  return {
    displayName: profile?.display_name ?? person.name,
    username: profile?.username ?? person.email.split('@')[0] ?? '',
    email,
  };
}

const signIn = 'Please sign in to update your profile';

/** What keeps its own sentence, because retrying does not help. */
const refusals = new Set(['SUSPENDED', 'RESERVED_NAME', 'HIDDEN_CHARACTERS', 'NAME_TOO_LONG']);

/** Message for a failed save (PROF-04). */
export const saveProfileErrors: ErrorOverrides = {
  codes: { SESSION_EXPIRED: signIn, UNAUTHENTICATED: signIn },
  fallback: 'Failed to update profile. Please try again.',
  isWorded: ({ code }) => refusals.has(code),
};
