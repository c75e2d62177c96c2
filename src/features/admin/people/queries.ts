import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { Wallet } from '@/features/wallet';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';
import { adminKeys } from '../keys';
import { type ListFilters, pageArguments, pagedList, refreshSeconds, searchArgument } from '../list/paged-list';

export type AdminPerson = Database['public']['Functions']['admin_list_users']['Returns'][number];

const factsSchema = z.object({
  submissions: z.object({ total: z.number(), approved: z.number(), pending: z.number(), rejected: z.number() }),
  flag_count: z.number(),
  flags: z.array(
    z.object({
      submission_id: z.string(),
      kind: z.string(),
      evidence: z.record(z.string(), z.unknown()),
      at: z.string(),
      quest: z.nullable(z.string()),
    }),
  ),
  related: z.array(
    z.object({
      user_id: z.string(),
      relation: z.enum(['same_mailbox', 'referrer', 'referred']),
      /** Null for a deleted account. */
      name: z.nullable(z.string()),
      is_suspended: z.boolean(),
    }),
  ),
  holds: z.array(
    z.object({
      reason: z.enum(['referral', 'trial']),
      points: z.number(),
      due_at: z.nullable(z.string()),
      depends_on: z.string(),
      name: z.nullable(z.string()),
    }),
  ),
  /** The points are those of redemptions that were not cancelled. */
  redemptions: z.object({ total: z.number(), pending: z.number(), cancelled: z.number(), points: z.number() }),
  /** When their admin right was revoked, null if it was not. */
  admin_revoked_at: z.nullable(z.string()),
  /** Null while the account exists. was_suspended: whether a suspension still holds for the person's other accounts. */
  deletion: z.nullable(z.object({ at: z.string(), was_suspended: z.boolean() })),
  project: z.nullable(
    z.object({ id: z.string(), name: z.string(), status: z.enum(['pending', 'verified', 'rejected']) }),
  ),
  history: z.array(
    z.object({
      id: z.number(),
      action: z.string(),
      at: z.string(),
      note: z.nullable(z.string()),
      actor: z.nullable(z.string()),
    }),
  ),
});
export type PersonFacts = z.infer<typeof factsSchema>;

export const peopleQueries = {
  /** Members by sign-up time; search in username and e-mail address. */
  list: (filters: ListFilters) =>
    pagedList<AdminPerson>('people', filters, (cursor, signal) => {
      const args = { p_search: searchArgument(filters.search), p_sort: filters.sort, ...pageArguments(cursor) };
      return unwrap(supabase().rpc('admin_list_users', args, { get: true }).abortSignal(signal));
    }),

  /** One person's profile, null when they never signed in. */
  profile: (userId: string) =>
    queryOptions({
      queryKey: adminKeys.person(userId),
      queryFn: ({ signal }): Promise<Tables<'user_profiles'> | null> =>
        unwrap(supabase().from('user_profiles').select().eq('user_id', userId).abortSignal(signal).maybeSingle()),
      ...poll(refreshSeconds),
    }),

  /**
   * What else an admin needs to decide: proofs, flags, related accounts, held points, redemptions, earlier admin
   * actions.
   */
  facts: (userId: string) =>
    queryOptions({
      queryKey: adminKeys.personFacts(userId),
      queryFn: async ({ signal }): Promise<PersonFacts> =>
        factsSchema.parse(
          await unwrap(supabase().rpc('admin_get_person', { p_user_id: userId }, { get: true }).abortSignal(signal)),
        ),
      ...poll(refreshSeconds),
    }),

  /** A person's referral code, null before there is one. */
  referralCode: (userId: string) =>
    queryOptions({
      queryKey: adminKeys.personReferralCode(userId),
      queryFn: ({ signal }): Promise<Tables<'referral_codes'> | null> =>
        unwrap(supabase().from('referral_codes').select().eq('user_id', userId).abortSignal(signal).maybeSingle()),
      ...poll(refreshSeconds),
    }),

  /** A person's wallets: their own first, then the project's. Quest reserves are left out. */
  wallets: (userId: string) =>
    queryOptions({
      queryKey: adminKeys.personWallets(userId),
      queryFn: ({ signal }): Promise<Wallet[]> =>
        unwrap(
          supabase()
            .from('wallets')
            .select()
            .eq('owner_user_id', userId)
            .in('kind', ['user', 'startup'])
            .order('kind')
            .abortSignal(signal),
        ),
      ...poll(refreshSeconds),
    }),
};

/** Keys as returned by the database (DB-19). */
const referralReportSchema = z.object({
  overview: z.object({
    total_referral_codes: z.number(),
    total_clicks: z.number(),
    total_successful_referrals: z.number(),
    total_points_distributed: z.number(),
    conversion_rate: z.number(),
    avg_clicks_per_code: z.number(),
    active_codes: z.number(),
  }),
  top_referrers: z.array(
    z.object({
      user_id: z.string(),
      username: z.string(),
      referral_code: z.string(),
      successful_referrals: z.number(),
      total_points_earned: z.number(),
    }),
  ),
  recent_referrals: z.array(
    z.object({
      referrer_username: z.string(),
      referred_username: z.string(),
      referral_code: z.string(),
      points_awarded: z.number(),
      completed_at: z.string(),
    }),
  ),
});

export type ReferralReport = z.infer<typeof referralReportSchema>;
export type ReferralHealth = { health_score: number; users_without_codes: number; failed_referrals: number };

const noHealth: ReferralHealth = { health_score: 100, users_without_codes: 0, failed_referrals: 0 };

export const adminReferralQueries = {
  /** Totals, the 10 best referrers, the 10 latest completed referrals (ADMIN-09, ADMIN-10). */
  report: () =>
    queryOptions({
      queryKey: adminKeys.referralReport,
      queryFn: async ({ signal }): Promise<ReferralReport> =>
        referralReportSchema.parse(
          await unwrap(supabase().rpc('get_admin_referral_stats', {}, { get: true }).abortSignal(signal)),
        ),
      ...poll(refreshSeconds),
    }),

  /** Score in percent, members without a code, referrals that were never completed (ADMIN-10). */
  health: () =>
    queryOptions({
      queryKey: adminKeys.referralHealth,
      queryFn: async ({ signal }): Promise<ReferralHealth> => {
        const [row] = await unwrap(supabase().rpc('get_referral_system_health', {}, { get: true }).abortSignal(signal));
        return row ?? noHealth;
      },
      ...poll(refreshSeconds),
    }),
};
