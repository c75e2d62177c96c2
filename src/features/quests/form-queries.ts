import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { callFunction } from '@/lib/authorized-fetch';
import { readWithFallback, supabase, unwrap } from '@/lib/supabase';
import { questQueries, scheduleFilters } from './queries';
import { remainingSlots } from './quest';

/** A quest that the member has completed, with points earned and ISO time. */
const completedQuest = z.object({
  campaign_title: z.string(),
  startup_name: z.string(),
  reward_points: z.number(),
  completed_at: z.nullable(z.string()),
});
export type CompletedQuest = z.infer<typeof completedQuest>;

/** Result of validate_campaign_creation_eligibility (DB-23). */
const eligibilitySchema = z.object({
  is_eligible: z.boolean(),
  requirement_message: z.string(),
  /** Why the project starts without trial points (C-81); null when it does not. */
  trial_message: z.nullish(z.string()),
  quest_completion: z.object({ quest_details: z.array(completedQuest) }),
});
export type Eligibility = z.infer<typeof eligibilitySchema>;

/** A task that a member could do next, as get_available_quests_for_new_user lists it (DB-23). */
export type AvailableQuest = {
  task_id: string;
  campaign_id: string;
  campaign_title: string;
  startup_name: string;
  startup_logo: string | null;
  reward_points: number;
};

/** Used when the check itself fails, which must not block creating a quest (QNEW-05). */
export const assumedEligible: Eligibility = {
  is_eligible: true,
  requirement_message: 'Quest eligibility check failed. Proceeding with quest creation.',
  quest_completion: { quest_details: [] },
};

/** The same result computed from tables, for a database without the procedure (DB-28). */
export function eligibilityFromCompleted(details: CompletedQuest[]): Eligibility {
  const isEligible = details.length > 0;
  return {
    is_eligible: isEligible,
    requirement_message: isEligible
      ? 'Requirement met: you have completed a quest and can create your own.'
      : 'Complete at least 1 quest before you create your own, to see what members see.',
    quest_completion: { quest_details: details },
  };
}

/** Number of entries in the explore panel (QNEW-06). */
const shownQuests = 8;
const shownCompletions = 3;

/** One entry per quest, with the points of all its tasks: the list has one row per task. */
export function questsToExplore(available: readonly AvailableQuest[]): AvailableQuest[] {
  const byQuest = new Map<string, AvailableQuest>();
  for (const task of available) {
    const points = byQuest.get(task.campaign_id)?.reward_points ?? 0;
    byQuest.set(task.campaign_id, { ...task, reward_points: points + task.reward_points });
  }
  return [...byQuest.values()].slice(0, shownQuests);
}

/** The latest completions; the procedure lists them newest first. */
export function recentCompletions(eligibility: Eligibility): CompletedQuest[] {
  return eligibility.quest_completion.quest_details.slice(0, shownCompletions);
}

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

const checkSources = z.object({ sources: z.array(z.enum(['endpoint', 'github_pull_request'])) });

/** Queries of the quest form alone. Separate from `questQueries`, which the first page loads without a schema library. */
export const questFormQueries = {
  /**
   * Advice before an owner's first quest; it never fails and never blocks (QNEW-05, C-38). Always stale, so that
   * it is refetched when the user returns to the tab (QNEW-04).
   */
  eligibility: (userId: string) =>
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

  /** Sources that a check can use: the project's endpoint, and the connectors enabled on this installation. */
  checkSources: () =>
    queryOptions({
      queryKey: questQueries.keys.checkSources,
      queryFn: async ({ signal }) =>
        checkSources.parse(await callFunction('check-task', { listSources: true }, signal)).sources,
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
