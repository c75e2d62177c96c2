import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { toAppError } from '@/lib/errors';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import { listFromTables, slotsFromTables, taskCountsFromTables } from './fallback-queries';
import type { Quest, SlotsById } from './quest';

export const questSorts = ['new', 'reward', 'trending'] as const;
export type QuestSort = (typeof questSorts)[number];

/** What to list: `search` in title and summary, at most `limit` quests (1 to 100). */
export type QuestFilters = { search?: string; sort?: QuestSort; limit?: number; isOnlyOpen?: boolean };

/** Submissions of a task that count against its slots. */
export type TaskCounts = { approved_count: number; pending_count: number };

/** Quests of one page of the hub (HUB-01). */
const hubPageSize = 50;

const keys = {
  all: ['quests'] as const,
  list: (filters: QuestFilters) => ['quests', 'list', filters] as const,
  pages: (filters: QuestFilters) => ['quests', 'pages', filters] as const,
  stats: (campaignIds: string[]) => ['quests', 'stats', campaignIds] as const,
  taskCounts: (taskIds: string[]) => ['quests', 'task-counts', taskIds] as const,
};

/** A procedure that the server does not have (an older database): the tables are read instead (DB-28). */
async function orFromTables<Data>(call: Promise<Data>, fallback: () => Promise<Data>): Promise<Data> {
  try {
    return await call;
  } catch (error) {
    const { status, code } = toAppError(error);
    if (status === 404 && code === 'NOT_FOUND') return fallback();
    throw error;
  }
}

function fetchQuests(filters: QuestFilters, cursor: string | null, signal: AbortSignal): Promise<Quest[]> {
  const { search, sort = 'new', limit = 10, isOnlyOpen = false } = filters;
  const call = supabase().rpc(
    'list_published_quests',
    {
      p_search: search?.slice(0, 100) || undefined,
      p_sort: sort,
      p_limit: limit,
      p_cursor: cursor ?? undefined,
      p_only_open: isOnlyOpen || undefined,
    },
    { get: true },
  );
  // Without the procedure there is one page: the tables have no cursor of its kind.
  const fallback = () => (cursor ? Promise.resolve([]) : listFromTables(filters, signal));
  return orFromTables(unwrap(call.abortSignal(signal)), fallback);
}

/** Public reads of published quests, by GET so that caches can answer them. */
export const questQueries = {
  keys,

  /** Published quests, newest first unless sorted otherwise. */
  list: (filters: QuestFilters = {}) =>
    queryOptions({
      queryKey: keys.list(filters),
      queryFn: ({ signal }) => fetchQuests(filters, null, signal),
    }),

  /** The hub's list: 50 quests, and the next 50 when asked for. */
  pages: ({ search, sort }: Pick<QuestFilters, 'search' | 'sort'>) =>
    infiniteQueryOptions({
      queryKey: keys.pages({ search, sort }),
      initialPageParam: null as string | null,
      queryFn: ({ pageParam, signal }) => fetchQuests({ search, sort, limit: hubPageSize }, pageParam, signal),
      getNextPageParam: (page): string | null => (page.length < hubPageSize ? null : page.at(-1)?.cursor || null),
      placeholderData: keepPreviousData,
    }),

  /** Slots of up to 200 quests by id, refreshed every 60 s (DB-22). */
  stats: (campaignIds: string[]) =>
    queryOptions({
      queryKey: keys.stats(campaignIds),
      queryFn: ({ signal }): Promise<SlotsById> => {
        const call = supabase().rpc('get_quest_completion_stats', { p_campaign_ids: campaignIds }, { get: true });
        const read = async () => {
          const rows = await unwrap(call.abortSignal(signal));
          return Object.fromEntries(rows.map(({ campaign_id, ...slots }) => [campaign_id, slots]));
        };
        return orFromTables(read(), () => slotsFromTables(campaignIds, signal));
      },
      enabled: campaignIds.length > 0,
      ...poll(60),
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
            rows.map((row) => [row.task_id, { approved_count: row.completions, pending_count: row.pending }]),
          );
        };
        return orFromTables(read(), () => taskCountsFromTables(taskIds, signal));
      },
      enabled: taskIds.length > 0,
      ...poll(60),
    }),
};
