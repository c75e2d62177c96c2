import { queryOptions } from '@tanstack/react-query';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';

export type Reward = Tables<'rewards'>;

/** A member's redemption; `note` is what the admin says about it. */
export type Redemption = Pick<
  Tables<'redemptions'>,
  | 'id'
  | 'reward_id'
  | 'reward_title'
  | 'points_cost'
  | 'status'
  | 'note'
  | 'created_at'
  | 'fulfilled_at'
  | 'cancelled_at'
  | 'delivery'
>;

/** One line of the leaderboard. Names come masked from the database (REWARD-07); `user_id` is given for oneself only. */
export type LeaderboardEntry = Database['public']['Functions']['get_leaderboard']['Returns'][number];

/** Players that the leaderboard holds (REWARD-06). */
const leaderboardLength = 50;

/** The row that `redeem_reward_safe` made for this key. Row level security shows the caller's own only, admins apart. */
export function findRedemption(key: string, signal?: AbortSignal): Promise<Tables<'redemptions'> | null> {
  const rows = supabase().from('redemptions').select('*').eq('idempotency_key', key);
  return unwrap((signal ? rows.abortSignal(signal) : rows).maybeSingle());
}

const keys = {
  all: ['rewards'] as const,
  leaderboard: (limit: number) => ['rewards', 'leaderboard', limit] as const,
  list: ['rewards', 'list'] as const,
  redemptions: (userId: string) => ['rewards', 'redemptions', userId] as const,
  byKey: (key: string) => ['rewards', 'key', key] as const,
};

export const rewardQueries = {
  keys,

  /** Top players by points earned with tasks and referrals, best first (REWARD-04, C-46). Refreshed every 30 s. */
  leaderboard: (limit: number = leaderboardLength) =>
    queryOptions({
      queryKey: keys.leaderboard(limit),
      queryFn: ({ signal }): Promise<LeaderboardEntry[]> =>
        unwrap(supabase().rpc('get_leaderboard', { p_limit: limit }, { get: true }).abortSignal(signal)),
      ...poll(30),
    }),

  /** What can be redeemed, cheapest first. Stock changes under one's eyes: refreshed every 30 s (REWARD-10). */
  list: () =>
    queryOptions({
      queryKey: keys.list,
      queryFn: ({ signal }): Promise<Reward[]> =>
        unwrap(
          supabase()
            .from('rewards')
            .select('*')
            .eq('is_active', true)
            .order('points_cost')
            .order('id')
            .abortSignal(signal),
        ),
      ...poll(30),
    }),

  /** What the member redeemed under this key, null when nothing: the outcome of a call whose answer was lost (C-99). */
  byKey: (key: string) =>
    queryOptions({
      queryKey: keys.byKey(key),
      queryFn: ({ signal }) => findRedemption(key, signal),
      gcTime: 0,
    }),

  /** The member's redemptions, newest first (C-50). */
  redemptions: (userId: string) =>
    queryOptions({
      queryKey: keys.redemptions(userId),
      queryFn: ({ signal }): Promise<Redemption[]> =>
        unwrap(
          supabase()
            .from('redemptions')
            .select(
              'id, reward_id, reward_title, points_cost, status, note, created_at, fulfilled_at, cancelled_at, delivery',
            )
            .eq('user_id', userId)
            .order('created_at', { ascending: false })
            .order('id', { ascending: false })
            .limit(50)
            .abortSignal(signal),
        ),
      ...poll(30),
    }),
};
