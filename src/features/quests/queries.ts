import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { fetchSettings } from '@/features/settings';
import { cursorPages, fetchAllByCursor, keepPreviousRows, maxPageSize } from '@/lib/paging';
import { poll, pollPages } from '@/lib/query-client';
import { escapeLike, readWithFallback, supabase, unwrap, withSignal } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';
import {
  type OwnQuest,
  promisedHours,
  type QuestFilters,
  type QuestListItem,
  type QuestState,
  type QuestStates,
  type SavedQuest,
  type SuggestedQuest,
  type TaskCounts,
  toQuestState,
} from './quest';
import type { MyQuest } from './response-schemas';

/** A quest; the table is called campaigns. */
export type Quest = Tables<'campaigns'>;
export type Task = Tables<'tasks'>;
/** An e-mail address that a member shared with a quest; `collected_at` is an ISO time. */
export type CollectedEmail = Omit<
  Database['public']['Functions']['list_collected_emails']['Returns'][number],
  'cursor'
>;

/** Verification settings of the tasks of an owner's quest. */
export type TaskVerification = Database['public']['Functions']['get_task_verifications']['Returns'][number];

/** Page size of the hub (HUB-01). */
const hubPageSize = 50;
/** Page size of a member's own list. */
const myPageSize = 20;
/** Page size when reading all quests; the server's maximum. */
const largePageSize = 100;

/** Limits on the founder's quests (RULE-18, BEY-20); null: unlimited. */
export type ProjectLimits = Database['public']['Functions']['get_quest_limits']['Returns'][number];

const keys = {
  all: ['quests'] as const,
  list: (filters: QuestFilters) => ['quests', 'list', filters] as const,
  pages: (filters: QuestFilters) => ['quests', 'pages', filters] as const,
  taskCounts: (taskIds: string[]) => ['quests', 'task-counts', taskIds] as const,
  detail: (id: string) => ['quests', 'detail', id] as const,
  tasks: (id: string) => ['quests', 'tasks', id] as const,
  verifications: (id: string) => ['quests', 'verifications', id] as const,
  checkSources: ['quests', 'check-sources'] as const,
  participated: (id: string) => ['quests', 'participated', id] as const,
  ofProject: (projectId: string) => ['quests', 'of-project', projectId] as const,
  own: (projectId: string) => ['quests', 'own', projectId] as const,
  limits: (userId: string) => ['quests', 'limits', userId] as const,
  ownStates: (userId: string) => ['quests', 'own-states', userId] as const,
  mine: (userId: string, states: readonly QuestState[]) => ['quests', 'mine', userId, states] as const,
  savedIds: (userId: string) => ['quests', 'saved', userId, 'ids'] as const,
  saved: (userId: string) => ['quests', 'saved', userId, 'list'] as const,
  suggested: (userId: string) => ['quests', 'suggested', userId] as const,
  eligibility: (userId: string) => ['quests', 'eligibility', userId] as const,
  available: (userId: string) => ['quests', 'available', userId] as const,
  incentiveRules: (title: string, instructions: string) => ['quests', 'incentive-rules', title, instructions] as const,
};

function fetchQuests(filters: QuestFilters, cursor: string | null, signal: AbortSignal): Promise<QuestListItem[]> {
  const { search, sort = 'new', limit = 10, view, projectId, facets = {} } = filters;
  const call = supabase().rpc(
    'list_published_quests',
    {
      p_search: search?.slice(0, 100) || undefined,
      p_sort: sort,
      p_limit: limit,
      p_cursor: cursor ?? undefined,
      p_view: view,
      p_startup_id: projectId,
      p_min_reward: facets.minReward,
      p_max_reward: facets.maxReward,
      p_proof: facets.proof,
      p_industry: facets.industry,
      p_only_one_press: facets.isOnePress || undefined,
      p_min_minutes: facets.minMinutes,
      p_max_minutes: facets.maxMinutes,
    },
    { get: true },
  );
  // A filter that the tables do not support must fail, not be ignored.
  if (Object.values(facets).some((value) => value !== undefined)) return unwrap(call.abortSignal(signal));
  // The fallback has a single page, because the tables have no such cursor.
  const fallback = () => (cursor ? Promise.resolve([]) : listFromTables(filters, signal));
  return readWithFallback<QuestListItem[]>(unwrap(call.abortSignal(signal)), fallback);
}

/** Ids of the quests that the caller has saved. */
export async function fetchSavedIds(signal?: AbortSignal): Promise<string[]> {
  const call = supabase().from('saved_quests').select('campaign_id');
  const rows = await unwrap(withSignal(call, signal));
  return rows.map(({ campaign_id }) => campaign_id);
}

/**
 * Lists and counts of published quests, by GET so that caches can respond, and reads of single quests with the caller's
 * own rights.
 */
export const questQueries = {
  keys,

  /**
   * Limits on the signed-in founder's quests, null without a project. `isAwaited`: a purchase is expected, so poll
   * quickly.
   */
  limits: (userId: string, isAwaited = false) =>
    queryOptions({
      queryKey: keys.limits(userId),
      queryFn: ({ signal }): Promise<ProjectLimits | null> =>
        unwrap(supabase().rpc('get_quest_limits', undefined, { get: true }).abortSignal(signal).maybeSingle()),
      ...poll(isAwaited ? 3 : 30),
    }),

  /** Verification settings of the tasks of an owner's quest, without secrets (BEY-13). */
  verifications: (id: string) =>
    queryOptions({
      queryKey: keys.verifications(id),
      queryFn: ({ signal }) =>
        unwrap(supabase().rpc('get_task_verifications', { p_campaign_id: id }, { get: true }).abortSignal(signal)),
    }),

  /** Published quests, newest first unless sorted otherwise. */
  list: (filters: QuestFilters = {}) =>
    queryOptions({
      queryKey: keys.list(filters),
      queryFn: ({ signal }) => fetchQuests(filters, null, signal),
    }),

  /** The hub's list: 50 quests of a view per page. */
  pages: ({ search, sort, view, facets }: Pick<QuestFilters, 'search' | 'sort' | 'view' | 'facets'>) =>
    infiniteQueryOptions({
      queryKey: keys.pages({ search, sort, view, facets }),
      ...cursorPages(hubPageSize, (cursor, signal) =>
        fetchQuests({ search, sort, view, facets, limit: hubPageSize }, cursor, signal),
      ),
      // Not across views: an open quest must not be shown as full, not even while loading (HUB-08).
      placeholderData: (previous, query) => (query?.queryKey[2].view === view ? keepPreviousRows(previous) : undefined),
    }),

  /** The member's state in each started quest; separate from the lists, which are the same for everybody. */
  ownStates: (userId: string) =>
    queryOptions({
      queryKey: keys.ownStates(userId),
      queryFn: async ({ signal }): Promise<QuestStates> => {
        const rows = await unwrap(supabase().rpc('get_own_quest_states', {}, { get: true }).abortSignal(signal));
        return Object.fromEntries(rows.map(({ campaign_id, state }) => [campaign_id, toQuestState(state)]));
      },
      enabled: userId !== '',
      ...poll(60),
    }),

  /**
   * The member's started quests in these states (all for none), with submissions and decisions (BEY-21). Polled every
   * 60 s.
   */
  mine: (userId: string, states: readonly QuestState[] = []) =>
    infiniteQueryOptions({
      queryKey: keys.mine(userId, states),
      ...cursorPages(myPageSize, async (cursor, signal): Promise<MyQuest[]> => {
        const args = {
          p_states: states.length > 0 ? [...states] : undefined,
          p_limit: myPageSize,
          p_cursor: cursor ?? undefined,
        };
        // POST, because an array of states cannot be passed in the query string of a GET.
        const rows = await unwrap(supabase().rpc('list_my_quests', args).abortSignal(signal));
        const { toMyQuest } = await import('./response-schemas');
        return rows.map(toMyQuest);
      }),
      ...pollPages(60),
    }),

  /** Ids of the quests that the member saved, 500 at most. */
  savedIds: (userId: string) =>
    queryOptions({
      queryKey: keys.savedIds(userId),
      queryFn: ({ signal }) => fetchSavedIds(signal),
      enabled: userId !== '',
    }),

  /** The member's saved quests that are still listed, most recently saved first. */
  saved: (userId: string) =>
    infiniteQueryOptions({
      queryKey: keys.saved(userId),
      ...cursorPages(myPageSize, (cursor, signal): Promise<SavedQuest[]> => {
        const page = { p_limit: myPageSize, p_cursor: cursor ?? undefined };
        return unwrap(supabase().rpc('list_saved_quests', page, { get: true }).abortSignal(signal));
      }),
    }),

  /** Up to three suggestions for the member, each with its reason (C-72, BEY-18). */
  suggested: (userId: string) =>
    queryOptions({
      queryKey: keys.suggested(userId),
      queryFn: ({ signal }): Promise<SuggestedQuest[]> =>
        unwrap(supabase().rpc('list_suggested_quests', {}, { get: true }).abortSignal(signal)),
    }),

  /** Completions of up to 200 tasks by task id, refreshed every 60 s (QUEST-07). */
  taskCounts: (taskIds: string[]) =>
    queryOptions({
      queryKey: keys.taskCounts(taskIds),
      queryFn: ({ signal }): Promise<Record<string, TaskCounts>> => {
        const call = supabase().rpc('get_task_completion_counts', { p_task_ids: taskIds }, { get: true });
        const read = async () => {
          const rows = await unwrap(call.abortSignal(signal));
          return Object.fromEntries(
            rows.map((row) => [
              row.task_id,
              { approved_count: row.completions, pending_count: row.pending, kept_count: row.kept },
            ]),
          );
        };
        return readWithFallback(read(), () => taskCountsFromTables(taskIds, signal));
      },
      enabled: taskIds.length > 0,
      ...poll(60),
    }),

  /** One quest, null when it does not exist or is not visible to the caller. */
  detail: (id: string) =>
    queryOptions({
      queryKey: keys.detail(id),
      queryFn: ({ signal }): Promise<Quest | null> =>
        unwrap(supabase().from('campaigns').select().eq('id', id).abortSignal(signal).maybeSingle()),
    }),

  /** The same with polling every 60 s, because its counters change with every submission. */
  detailLive: (id: string) => queryOptions({ ...questQueries.detail(id), ...poll(60) }),

  /** A quest's tasks in order. */
  tasks: (id: string) =>
    queryOptions({
      queryKey: keys.tasks(id),
      queryFn: ({ signal }): Promise<Task[]> =>
        unwrap(
          supabase().from('tasks').select().eq('campaign_id', id).order('order_index').order('id').abortSignal(signal),
        ),
    }),

  /**
   * The last published version of a quest that is no longer published, with its tasks, for participants (RULE-14); null
   * for everybody else.
   */
  participated: (id: string) =>
    queryOptions({
      queryKey: keys.participated(id),
      queryFn: async ({ signal }): Promise<{ quest: Quest; tasks: Task[] } | null> => {
        const args = { p_campaign_id: id };
        const [quest, tasks] = await Promise.all([
          unwrap(supabase().rpc('get_participated_quest', args, { get: true }).abortSignal(signal).maybeSingle()),
          unwrap(supabase().rpc('get_participated_tasks', args, { get: true }).abortSignal(signal)),
        ]);
        return quest && { quest, tasks };
      },
    }),

  /** A project's published quests, newest first. */
  ofProject: (projectId: string) =>
    queryOptions({
      queryKey: keys.ofProject(projectId),
      queryFn: ({ signal }) => {
        const filters = { projectId, limit: largePageSize };
        return fetchAllByCursor((cursor) => fetchQuests(filters, cursor, signal), largePageSize);
      },
    }),

  /** All quests of the caller's own project, newest first, including drafts and closed ones. */
  own: (projectId: string) =>
    queryOptions({
      queryKey: keys.own(projectId),
      queryFn: ({ signal }): Promise<OwnQuest[]> =>
        fetchAllByCursor((cursor) => {
          const page = { p_limit: largePageSize, p_cursor: cursor ?? undefined };
          return unwrap(supabase().rpc('list_own_quests', page, { get: true }).abortSignal(signal));
        }, largePageSize),
    }),

  /** The same, for the owner's dashboard. Refreshed every 30 s (SDASH-02). */
  ownLive: (projectId: string) => queryOptions({ ...questQueries.own(projectId), ...poll(30) }),

  /** The incentive rules that a task with this text matches, prohibitions first (BEY-15). */
  incentiveRules: (title: string, instructions: string) =>
    queryOptions({
      queryKey: keys.incentiveRules(title, instructions),
      queryFn: ({ signal }) => {
        const words = { p_title: title, p_instructions: instructions };
        return unwrap(supabase().rpc('check_incentives', words).abortSignal(signal));
      },
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    }),
};

/** All e-mail addresses of an owner's quest, oldest first. */
export function fetchCollectedEmails(questId: string): Promise<CollectedEmail[]> {
  return fetchAllByCursor((cursor) => {
    const page = { p_campaign_id: questId, p_limit: maxPageSize, p_cursor: cursor ?? undefined };
    return unwrap(supabase().rpc('list_collected_emails', page, { get: true }));
  }, maxPageSize);
}

// Fallbacks that read tables, for a database without the procedures (DB-28).

const fallbackColumns =
  'id, startup_id, title, summary, custom_reward_title, custom_reward_description, collect_emails, open_reward_points, budget_points, task_count, total_slots, open_slots, is_full, published_at, created_at, ends_at, review_hours, median_minutes, startup_profiles(name, logo_url, status), tasks(verification, requires_proof)';

const fallbackOrders = {
  new: ['created_at'],
  match: ['created_at'],
  reward: ['open_reward_points', 'budget_points', 'published_at'],
  trending: ['published_at'],
} as const;

/** ILIKE pattern for a text that contains the search, quoted for PostgREST's `or`. */
function ilikePattern(search: string): string {
  return `"%${escapeLike(search.trim()).replace(/["\\]/g, '\\$&')}%"`;
}

/** Filter for quests that have started and not ended (BEY-07), as a PostgREST `or`. */
export function scheduleFilters(): { hasStarted: string; hasNotEnded: string } {
  const now = new Date().toISOString();
  return {
    hasStarted: `starts_at.is.null,starts_at.lte."${now}"`,
    hasNotEnded: `ends_at.is.null,ends_at.gt."${now}"`,
  };
}

async function listFromTables(filters: QuestFilters, signal: AbortSignal): Promise<QuestListItem[]> {
  const { search, sort = 'new', limit = 10, view = 'all', projectId } = filters;
  let query = supabase().from('campaigns').select(fallbackColumns).eq('status', 'published');
  const { hasStarted, hasNotEnded } = scheduleFilters();
  query = query.or(hasStarted).or(hasNotEnded);
  if (search?.trim()) query = query.or(`title.ilike.${ilikePattern(search)},summary.ilike.${ilikePattern(search)}`);
  if (view !== 'all') query = query.eq('is_full', view === 'full');
  if (projectId) query = query.eq('startup_id', projectId);
  for (const column of fallbackOrders[sort]) query = query.order(column, { ascending: false });
  const [rows, { beta_mode }] = await Promise.all([
    unwrap(query.order('id', { ascending: false }).limit(limit).abortSignal(signal)),
    fetchSettings(signal),
  ]);
  return rows.map(
    ({ startup_profiles: project, tasks, open_reward_points, open_slots, is_full, published_at, ...quest }) => ({
      ...quest,
      review_hours: promisedHours(tasks, quest.review_hours, beta_mode),
      reward_points: open_reward_points,
      open_slots: Math.max(open_slots ?? 0, 0),
      is_full: is_full === true,
      published_at: published_at ?? quest.created_at,
      startup_name: project?.name ?? '',
      startup_logo_url: project?.logo_url ?? null,
      startup_verified: project?.status === 'verified',
      reserved_points: 0,
      decided: null,
      accepted: null,
      overturned: null,
      median_seconds: null,
    }),
  );
}

async function taskCountsFromTables(taskIds: string[], signal: AbortSignal): Promise<Record<string, TaskCounts>> {
  const rows = await unwrap(
    supabase()
      .from('tasks')
      .select('id, approved_count, pending_count, kept_count')
      .in('id', taskIds)
      .abortSignal(signal),
  );
  return Object.fromEntries(rows.map(({ id, ...counts }) => [id, counts]));
}
