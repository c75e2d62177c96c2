import { useQuery } from '@tanstack/react-query';
import { useSession } from '@/lib/auth';
import { initialProfile } from './profile-form';
import { accountQueries } from './queries';

/** The signed-in person's profile, and what the forms start with. */
export function useOwnProfile() {
  const session = useSession();
  const query = useQuery({ ...accountQueries.profile(session.userId ?? ''), enabled: session.userId !== null });
  const profile = query.data ?? null;
  const person = { name: session.name ?? '', email: session.email ?? '' };
  return { session, query, profile, initial: initialProfile(profile, person) };
}
