import { useQuery } from '@tanstack/react-query';
import { useSession } from '@/lib/auth';
import { startupQueries } from './queries';

/** The signed-in user's project: nobody's while signed out. `query.data` is null for a user without one. */
export function useOwnStartup() {
  const session = useSession();
  const userId = session.userId;
  const query = useQuery({ ...startupQueries.own(userId ?? ''), enabled: userId !== null });
  return { session, userId, query };
}
