import type { Profile, ProfileInput } from '@/features/account';
import type { ErrorOverrides } from '@/lib/errors';

type Person = { name: string; email: string };

/** What the forms start with. Before the first sync it is the provider's name, and the e-mail up to the at-sign (PROF-05). */
export function initialProfile(profile: Profile | null, person: Person): ProfileInput {
  const email = profile?.email ?? person.email;
  return {
    displayName: profile?.display_name ?? person.name,
    username: profile?.username ?? person.email.split('@')[0] ?? '',
    email,
  };
}

const signIn = 'Please sign in to update your profile';

/** What a failed save reads (PROF-04). A suspension keeps its own sentence, because trying again does not help there. */
export const saveProfileErrors: ErrorOverrides = {
  codes: { SESSION_EXPIRED: signIn, UNAUTHENTICATED: signIn },
  fallback: 'Failed to update profile. Please try again.',
  isWorded: ({ code }) => code === 'SUSPENDED',
};
