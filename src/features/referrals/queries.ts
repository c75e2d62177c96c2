import { queryOptions } from '@tanstack/react-query';
import { readWithFallback, supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';

/** A member's code and what it has brought (DB-18). */
export type ReferralStats = {
  /** Null until the code has been made. */
  code: string | null;
  clicks: number;
  successfulReferrals: number;
  pointsEarned: number;
  /** The part of them that cannot be redeemed yet (C-80); null when read from the table, which does not know. */
  pointsHeld: number | null;
  /** Whether the member is new and may still say who has invited them. */
  canBeReferred: boolean;
};

/** One person who came through the member's code. */
export type Referral = Omit<Database['public']['Functions']['list_own_referrals']['Returns'][number], 'held_points'> & {
  /** The part of the points that cannot be redeemed yet (C-80). */
  held_points: number;
};

/** The inviter's masked name and the invited member's bonus; no name for an unknown code. */
type Greeting = { inviter_name: string | null; referred_points: number };

/** Referrals that the history shows (REF-07). */
const historyLength = 10;

const noStats: ReferralStats = {
  code: null,
  clicks: 0,
  successfulReferrals: 0,
  pointsEarned: 0,
  pointsHeld: 0,
  canBeReferred: false,
};

async function readStats(userId: string, signal: AbortSignal): Promise<ReferralStats> {
  const call = supabase().rpc('get_user_referral_stats', { p_user_id: userId }, { get: true }).abortSignal(signal);
  const [row] = await unwrap(call);
  if (!row) return noStats;
  return {
    code: row.referral_code,
    clicks: row.clicks,
    successfulReferrals: row.successful_referrals,
    pointsEarned: row.total_points_earned,
    pointsHeld: row.held_points,
    canBeReferred: row.can_be_referred,
  };
}

/** The same from the table, where the procedure is missing (DB-28). */
async function readStatsFromTable(userId: string, signal: AbortSignal): Promise<ReferralStats> {
  const call = supabase()
    .from('referral_codes')
    .select('code, clicks, successful_referrals, total_rewards_earned')
    .eq('user_id', userId)
    .abortSignal(signal)
    .maybeSingle();
  const row = await unwrap(call);
  if (!row) return noStats;
  return {
    code: row.code,
    clicks: row.clicks,
    successfulReferrals: row.successful_referrals,
    pointsEarned: row.total_rewards_earned,
    pointsHeld: null,
    canBeReferred: false,
  };
}

const keys = {
  all: ['referrals'] as const,
  stats: (userId: string) => ['referrals', 'stats', userId] as const,
  latest: (userId: string) => ['referrals', 'latest', userId] as const,
  greeting: (code: string) => ['referrals', 'greeting', code] as const,
};

export const referralQueries = {
  keys,

  /** Code, clicks, successes and points of a member. */
  stats: (userId: string) =>
    queryOptions({
      queryKey: keys.stats(userId),
      queryFn: ({ signal }): Promise<ReferralStats> =>
        readWithFallback(readStats(userId, signal), () => readStatsFromTable(userId, signal)),
    }),

  /** The latest 10 people who came through the member's code (REF-07). */
  latest: (userId: string) =>
    queryOptions({
      queryKey: keys.latest(userId),
      queryFn: ({ signal }): Promise<Referral[]> =>
        unwrap(supabase().rpc('list_own_referrals', { p_limit: historyLength }, { get: true }).abortSignal(signal)),
    }),
  /** Who invites with this code; null for an unknown one. Never refetched, because it counts against the visitor's rate limit. */
  greeting: (code: string) =>
    queryOptions({
      queryKey: keys.greeting(code),
      queryFn: async ({ signal }): Promise<Greeting | null> => {
        // The type generator does not know the columns of a single row.
        const call = supabase().rpc('get_referral_greeting', { p_code: code }).abortSignal(signal);
        const greeting = await unwrap(call.overrideTypes<Greeting>());
        return greeting.inviter_name ? greeting : null;
      },
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    }),
};
