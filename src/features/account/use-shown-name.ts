import { useQuery } from '@tanstack/react-query';
import { useSession } from '@/lib/auth';
import { accountQueries } from './queries';

/** The member's name: the one chosen here before that of the account, which is read when signing in. Null without either. */
export function useShownName(): string | null {
  const { userId, name } = useSession();
  const { data: profile } = useQuery({ ...accountQueries.profile(userId ?? ''), enabled: userId !== null });
  return profile?.display_name || name || null;
}
