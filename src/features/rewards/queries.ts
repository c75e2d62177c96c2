import { queryOptions } from '@tanstack/react-query';
import { poll } from '@/lib/query-client';
import { supabase, unwrap, withSignal } from '@/lib/supabase';
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

/** The boards: of all time, and of this ISO week in UTC (C-84). */
export const boards = ['all', 'week'] as const;
export type Board = (typeof boards)[number];

/** The last rank that is exact; a greater one only means that the member is somewhere below it. */
export const lastCountedRank = 10_000;

/** A member's weeks in a row with a completed task (BEY-08). */
export type Streak = Database['public']['Functions']['get_own_streak']['Returns'][number];
/** What a member has reached, and in which week. */
export type Badge = Pick<Tables<'badges'>, 'badge' | 'week'>;

type ProfileRow = Database['public']['Functions']['get_member_profile']['Returns'][number];
/** What everybody may see of a member who has opted in. */
export type MemberProfile = Omit<ProfileRow, 'badges'> & { badges: Badge[] };

/** Players that the leaderboard holds (REWARD-06). */
const leaderboardLength = 50;

/** The row that `redeem_reward_safe` made for this key. Row level security shows the caller's own only, admins apart. */
export function findRedemption(key: string, signal?: AbortSignal): Promise<Tables<'redemptions'> | null> {
  const rows = supabase().from('redemptions').select('*').eq('idempotency_key', key);
  return unwrap(withSignal(rows, signal).maybeSingle());
}

const keys = {
  all: ['rewards'] as const,
  leaderboard: (board: Board) => ['rewards', 'leaderboard', board] as const,
  ownRank: (userId: string, board: Board) => ['rewards', 'leaderboard', 'own', board, userId] as const,
  streak: (userId: string) => ['rewards', 'streak', userId] as const,
  badges: (userId: string) => ['rewards', 'badges', userId] as const,
  ownProfile: (userId: string) => ['rewards', 'profile', 'own', userId] as const,
  memberProfile: (handle: string) => ['rewards', 'profile', 'of', handle] as const,
  list: ['rewards', 'list'] as const,
  redemptions: (userId: string) => ['rewards', 'redemptions', userId] as const,
  byKey: (key: string) => ['rewards', 'key', key] as const,
};

/** The handle of one's public profile and whether it is shown; null before one has opted in. */
export function fetchOwnProfile(userId: string, signal?: AbortSignal) {
  const call = supabase().from('member_profiles').select('handle, is_public').eq('user_id', userId);
  return unwrap(withSignal(call, signal).maybeSingle());
}

export const rewardQueries = {
  keys,

  /** Top players by points earned with tasks and referrals, best first (REWARD-04, C-46, C-84). Refreshed every 30 s. */
  leaderboard: (board: Board) =>
    queryOptions({
      queryKey: keys.leaderboard(board),
      queryFn: ({ signal }): Promise<LeaderboardEntry[]> =>
        unwrap(
          supabase()
            .rpc('get_leaderboard', { p_limit: leaderboardLength, p_period: board }, { get: true })
            .abortSignal(signal),
        ),
      ...poll(30),
    }),
  /** The member's own place, also outside of the list; null without points. */
  ownRank: (userId: string, board: Board) =>
    queryOptions({
      queryKey: keys.ownRank(userId, board),
      queryFn: async ({ signal }) =>
        (await unwrap(supabase().rpc('get_own_rank', { p_period: board }, { get: true }).abortSignal(signal)))[0] ??
        null,
    }),
  /** The member's streak (BEY-08). */
  streak: (userId: string) =>
    queryOptions({
      queryKey: keys.streak(userId),
      queryFn: async ({ signal }): Promise<Streak | null> =>
        (await unwrap(supabase().rpc('get_own_streak', {}, { get: true }).abortSignal(signal)))[0] ?? null,
      ...poll(60),
    }),
  /** The member's badges, the first one first. */
  badges: (userId: string) =>
    queryOptions({
      queryKey: keys.badges(userId),
      queryFn: ({ signal }): Promise<Badge[]> =>
        unwrap(
          supabase()
            .from('badges')
            .select('badge, week')
            .eq('user_id', userId)
            .order('week')
            .order('badge')
            .abortSignal(signal),
        ),
      ...poll(60),
    }),
  /** The handle of one's public profile and whether it is shown; null before one has opted in. */
  ownProfile: (userId: string) =>
    queryOptions({
      queryKey: keys.ownProfile(userId),
      queryFn: ({ signal }) => fetchOwnProfile(userId, signal),
    }),
  /** A member's public profile, null when there is none (BEY-08). */
  memberProfile: (handle: string) =>
    queryOptions({
      queryKey: keys.memberProfile(handle),
      queryFn: async ({ signal }): Promise<MemberProfile | null> => {
        const call = supabase().rpc('get_member_profile', { p_handle: handle }, { get: true }).abortSignal(signal);
        const [[row], { badgeRows }] = await Promise.all([unwrap(call), import('./response-schemas')]);
        return row ? { ...row, badges: badgeRows.parse(row.badges) } : null;
      },
    }),

  /** What can be redeemed, cheapest first. Refreshed every 30 s, because stock changes while the page is open (REWARD-10). */
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
