import { queryOptions, useQuery } from '@tanstack/react-query';
import { supabase, unwrap, withSignal } from '@/lib/supabase';
import type { Tables } from '@/types/database';

/** Product settings that everyone may read; the owner's address is not among them. */
export type AppSettings = Omit<Tables<'app_settings'>, 'owner_email'>;

export function fetchSettings(signal?: AbortSignal): Promise<AppSettings> {
  const row = supabase()
    .from('app_settings')
    .select(
      'id, beta_mode, trial_quest_limit, trial_budget_points, referrer_points, referred_points, paid_referrals_per_day, proof_files_per_person, proof_megabytes_per_person, logo_files_per_person, logo_megabytes_per_person, submissions_per_minute, member_count_base, member_floor, quest_floor, points_floor, og_slots, og_price_cents, og_original_price_cents, rewards_enabled, leaderboard_enabled, treat_unverified_as_verified, project_changes_per_hour, quest_creations_per_hour, quest_changes_per_hour, pack_small_points, pack_small_cents, pack_medium_points, pack_medium_cents, pack_large_points, pack_large_cents, updated_at',
    );
  return unwrap(withSignal(row, signal).single());
}

const keys = {
  all: ['settings'] as const,
  app: ['settings', 'app'] as const,
};

export const settingsQueries = {
  keys,

  /** The one row of settings. They change rarely: fresh for five minutes. */
  app: () =>
    queryOptions({
      queryKey: keys.app,
      queryFn: ({ signal }) => fetchSettings(signal),
      staleTime: 5 * 60_000,
    }),
};

/** Whether the beta is on. Every text about the beta depends on this (C-69); while it is loading, none is shown. */
export function useIsBeta(): boolean {
  return useQuery(settingsQueries.app()).data?.beta_mode === true;
}
