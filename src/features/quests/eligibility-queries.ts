import { queryOptions } from '@tanstack/react-query';
import { AppError } from '@/lib/errors';
import { supabase, unwrap } from '@/lib/supabase';
import {
  type AvailableQuest,
  assumedEligible,
  type CompletedQuest,
  type Eligibility,
  eligibilityFromCompleted,
  eligibilitySchema,
} from './eligibility';

/** How many quests the fallback reads when the procedure is missing (QNEW-06, C-40). */
const fallbackLimit = 20;

const isMissing = (error: unknown) => error instanceof AppError && error.status === 404;

async function completedFromTables(userId: string, signal: AbortSignal): Promise<CompletedQuest[]> {
  const rows = await unwrap(
    supabase()
      .from('submissions')
      .select('reward_points, reviewed_at, campaigns(title, startup_profiles(name))')
      .eq('user_id', userId)
      .eq('status', 'approved')
      .order('reviewed_at', { ascending: false })
      .limit(fallbackLimit)
      .abortSignal(signal),
  );
  return rows.map((row) => ({
    campaign_title: row.campaigns?.title ?? 'Quest',
    startup_name: row.campaigns?.startup_profiles?.name ?? '',
    reward_points: row.reward_points,
    completed_at: row.reviewed_at,
  }));
}

async function availableFromTables(signal: AbortSignal): Promise<AvailableQuest[]> {
  const rows = await unwrap(
    supabase()
      .from('campaigns')
      .select('id, title, startup_profiles(name, logo_url), tasks(id, reward_points)')
      .eq('status', 'published')
      .gt('open_slots', 0)
      .order('published_at', { ascending: false })
      .limit(fallbackLimit)
      .abortSignal(signal),
  );
  return rows.flatMap((row) =>
    row.tasks.slice(0, 1).map((task) => ({
      task_id: task.id,
      campaign_id: row.id,
      campaign_title: row.title,
      startup_name: row.startup_profiles?.name ?? '',
      startup_logo: row.startup_profiles?.logo_url ?? null,
      reward_points: task.reward_points,
    })),
  );
}

async function checkEligibility(userId: string, signal: AbortSignal): Promise<Eligibility> {
  try {
    const answer = await unwrap(
      supabase().rpc('validate_campaign_creation_eligibility', { p_user_id: userId }).abortSignal(signal),
    );
    return eligibilitySchema.parse(answer);
  } catch (error) {
    if (signal.aborted) throw error;
    if (!isMissing(error)) return assumedEligible;
    return completedFromTables(userId, signal).then(eligibilityFromCompleted, () => assumedEligible);
  }
}

/** Advice before the first own quest; it never fails and never forbids (QNEW-05, C-38). */
export const eligibilityQueries = {
  /** Asked anew whenever someone comes back to the tab, so nothing of it is kept fresh (QNEW-04). */
  check: (userId: string) =>
    queryOptions({
      queryKey: ['eligibility', 'check', userId],
      queryFn: ({ signal }) => checkEligibility(userId, signal),
      staleTime: 0,
    }),

  /** Tasks that the member could do now, newest quests first. */
  available: (userId: string) =>
    queryOptions({
      queryKey: ['eligibility', 'available', userId],
      queryFn: async ({ signal }): Promise<AvailableQuest[]> => {
        try {
          return await unwrap(
            supabase()
              .rpc('get_available_quests_for_new_user', { p_user_id: userId, p_limit: fallbackLimit })
              .abortSignal(signal),
          );
        } catch (error) {
          if (isMissing(error)) return availableFromTables(signal);
          throw error;
        }
      },
    }),
};
