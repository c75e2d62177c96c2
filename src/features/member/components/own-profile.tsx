import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from '@/components/error-state';
import { Skeleton } from '@/components/ui/skeleton';
import { accountQueries, type Profile, type ProfileInput } from '@/features/account';
import { useSession } from '@/lib/auth';
import { initialProfile } from '../profile-form';

type OwnProfileProps = {
  children: (own: { profile: Profile | null; initial: ProfileInput }) => ReactNode;
};

/** Waits for the profile. A form over a profile that could not be read would save guesses, so then there is none. */
export function OwnProfile({ children }: OwnProfileProps) {
  const { query, profile, initial } = useOwnProfile();
  if (query.isPending) {
    return (
      <div className="grid gap-6 lg:grid-cols-[minmax(0,43rem)_minmax(18rem,1fr)]" aria-busy="true">
        <Skeleton className="h-96 rounded-card" />
        <Skeleton className="h-96 rounded-card" />
      </div>
    );
  }
  if (query.isError && !query.data) {
    return (
      <ErrorState
        title="Your profile could not be loaded"
        error={query.error}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  return children({ profile, initial });
}

/** The signed-in person's profile, and what the forms start with. */
export function useOwnProfile() {
  const session = useSession();
  const query = useQuery({ ...accountQueries.profile(session.userId ?? ''), enabled: session.userId !== null });
  const profile = query.data ?? null;
  const person = { name: session.name ?? '', email: session.email ?? '' };
  return { session, query, profile, initial: initialProfile(profile, person) };
}
