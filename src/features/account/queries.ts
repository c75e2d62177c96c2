import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSession } from '@/lib/auth';
import { supabase, unwrap, withSignal } from '@/lib/supabase';
import type { Tables } from '@/types/database';

/** A person's profile; readable by that person and by admins. */
export type Profile = Tables<'user_profiles'>;

const keys = {
  all: ['account'] as const,
  profile: (userId: string) => ['account', 'profile', userId] as const,
};

/** The profile of a user; null until the first sync has created it (AUTH-08). */
export function fetchProfile(userId: string, signal?: AbortSignal): Promise<Profile | null> {
  const call = supabase().from('user_profiles').select('*').eq('user_id', userId);
  return unwrap(withSignal(call, signal).maybeSingle());
}

export const accountQueries = {
  keys,

  /** The profile of a user; null until the first sync has created it (AUTH-08). */
  profile: (userId: string) =>
    queryOptions({
      queryKey: keys.profile(userId),
      queryFn: ({ signal }) => fetchProfile(userId, signal),
    }),
};

/** The member's name: the one chosen here before that of the account, which is read when signing in. Null without either. */
export function useShownName(): string | null {
  const { userId, name } = useSession();
  const { data: profile } = useQuery({ ...accountQueries.profile(userId ?? ''), enabled: userId !== null });
  return profile?.display_name || name || null;
}
