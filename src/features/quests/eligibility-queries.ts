import { queryOptions } from '@tanstack/react-query';
import { readWithFallback, supabase, unwrap } from '@/lib/supabase';
import {
  type AvailableQuest,
  assumedEligible,
  type CompletedQuest,
  type Eligibility,
  eligibilityFromCompleted,
  eligibilitySchema,
} from './eligibility';
import { scheduleFilters } from './fallback-queries';
import { questQueries } from './queries';
import { remainingSlots } from './quest';

/** Number of quests that the fallback reads when the procedure is missing (QNEW-06, C-40). */
const fallbackLimit = 20;

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

/** Number of quests read before filtering out owned and completed ones. */
const candidates = 200;

async function availableFromTables(userId: string, signal: AbortSignal): Promise<AvailableQuest[]> {
  const { hasStarted, hasNotEnded } = scheduleFilters();
  const [rows, begun, own] = await Promise.all([
    unwrap(
      supabase()
        .from('campaigns')
        .select(
          'id, title, startup_id, startup_profiles(name, logo_url), tasks(id, reward_points, max_completions, approved_count, pending_count, kept_count, order_index)',
        )
        .eq('status', 'published')
        .eq('is_full', false)
        .or(hasStarted)
        .or(hasNotEnded)
        .order('published_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(candidates)
        .abortSignal(signal),
    ),
    unwrap(
      supabase()
        .from('submissions')
        .select('task_id')
        .eq('user_id', userId)
        .neq('status', 'rejected')
        .abortSignal(signal),
    ),
    // The wallet tells whose project it is, because the owner column of projects is not readable.
    unwrap(
      supabase()
        .from('wallets')
        .select('startup_id')
        .eq('owner_user_id', userId)
        .eq('kind', 'startup')
        .abortSignal(signal),
    ),
  ]);
  const done = new Set(begun.map(({ task_id }) => task_id));
  const others = rows.filter(({ startup_id }) => own.every((wallet) => wallet.startup_id !== startup_id));
  const available = others.flatMap((row) =>
    row.tasks
      .filter((task) => remainingSlots(task) > 0 && !done.has(task.id))
      .toSorted((a, b) => a.order_index - b.order_index)
      .map((task) => ({
        task_id: task.id,
        campaign_id: row.id,
        campaign_title: row.title,
        startup_name: row.startup_profiles?.name ?? '',
        startup_logo: row.startup_profiles?.logo_url ?? null,
        reward_points: task.reward_points,
      })),
  );
  return available.slice(0, fallbackLimit);
}

async function checkEligibility(userId: string, signal: AbortSignal): Promise<Eligibility> {
  const call = supabase().rpc('validate_campaign_creation_eligibility', { p_user_id: userId }).abortSignal(signal);
  try {
    return await readWithFallback(
      unwrap(call).then((answer) => eligibilitySchema.parse(answer)),
      async () => eligibilityFromCompleted(await completedFromTables(userId, signal)),
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return assumedEligible;
  }
}

/** Advice before the first quest of one's own; it never fails and never blocks (QNEW-05, C-38). */
export const eligibilityQueries = {
  /** Always stale, so that it is refetched when the user returns to the tab (QNEW-04). */
  check: (userId: string) =>
    queryOptions({
      queryKey: questQueries.keys.eligibility(userId),
      queryFn: ({ signal }) => checkEligibility(userId, signal),
      staleTime: 0,
    }),

  /** Tasks that the member could do now, newest quests first. */
  available: (userId: string) =>
    queryOptions({
      queryKey: questQueries.keys.available(userId),
      queryFn: ({ signal }): Promise<AvailableQuest[]> => {
        const call = supabase().rpc('get_available_quests_for_new_user', { p_user_id: userId, p_limit: fallbackLimit });
        return readWithFallback(unwrap(call.abortSignal(signal)), () => availableFromTables(userId, signal));
      },
    }),
};
