import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import { adminKeys } from '../keys';
import { refreshSeconds } from '../list/paged-list';

/** Keys as returned by the database (DB-19). */
const statsSchema = z.object({
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

export type ReferralReport = z.infer<typeof statsSchema>;
export type ReferralHealth = { health_score: number; users_without_codes: number; failed_referrals: number };

const noHealth: ReferralHealth = { health_score: 100, users_without_codes: 0, failed_referrals: 0 };

export const adminReferralQueries = {
  /** Totals, the 10 best referrers, the 10 latest completed referrals (ADMIN-09, ADMIN-10). */
  report: () =>
    queryOptions({
      queryKey: adminKeys.referralReport,
      queryFn: async ({ signal }): Promise<ReferralReport> =>
        statsSchema.parse(
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
