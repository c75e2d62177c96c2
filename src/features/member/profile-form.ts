import type { Profile, ProfileInput } from '@/features/account';
import { type AppError, isSessionExpired, toAppError } from '@/lib/errors';

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

/** The sentence for a failed save (PROF-04). A suspension has its own, because trying again does not help there. */
export function saveFailure(error: unknown): string {
  const failure: AppError = toAppError(error);
  if (isSessionExpired(failure)) return 'Please sign in to update your profile';
  return failure.code === 'SUSPENDED' ? failure.message : 'Failed to update profile. Please try again.';
}
