import type { ReactNode } from 'react';
import { ErrorState } from '@/components/error-state';
import { Skeleton } from '@/components/ui/skeleton';
import type { ProfileInput } from '../mutations';
import type { Profile } from '../queries';
import { useOwnProfile } from '../use-own-profile';

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
