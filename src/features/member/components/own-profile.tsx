import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QueryView } from '@/components/query-view';
import { Skeleton } from '@/components/ui/skeleton';
import { accountQueries, type Profile, type ProfileInput } from '@/features/account';
import { useSession } from '@/lib/auth';
import { initialProfile } from '../profile-form';

type OwnProfileProps = {
  children: (own: { profile: Profile | null; initial: ProfileInput }) => ReactNode;
};

/** Waits for the profile. If it cannot be loaded there is no form, which would overwrite it with defaults. */
export function OwnProfile({ children }: OwnProfileProps) {
  const { query, profile, initial } = useOwnProfile();
  return (
    <QueryView query={query} failure="Your profile could not be loaded" pending={<OwnProfileLoading />}>
      {() => children({ profile, initial })}
    </QueryView>
  );
}

function OwnProfileLoading() {
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,43rem)_minmax(18rem,1fr)]" aria-busy="true">
      <Skeleton shape="card" className="h-96" />
      <Skeleton shape="card" className="h-96" />
    </div>
  );
}

/** The signed-in person's profile, and the initial values of the forms. */
export function useOwnProfile() {
  const session = useSession();
  const query = useQuery({ ...accountQueries.profile(session.userId ?? ''), enabled: session.userId !== null });
  const profile = query.data ?? null;
  const person = { name: session.name ?? '', email: session.email ?? '' };
  return { session, query, profile, initial: initialProfile(profile, person) };
}
