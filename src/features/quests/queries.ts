import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { toAppError } from '@/lib/errors';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Tables } from '@/types/database';
import { listFromTables, slotsFromTables, taskCountsFromTables } from './fallback-queries';
import type { QuestFilters, QuestListItem, SlotsById, TaskCounts } from './quest';

/** A quest; the table is called campaigns. */
export type Quest = Tables<'campaigns'>;
export type Task = Tables<'tasks'>;
/** An address that a member gave to a quest; `collected_at` is an ISO time. */
export type CollectedEmail = Pick<Tables<'campaign_email_collections'>, 'id' | 'email' | 'collected_at'>;

/** PostgREST answers with at most this many rows at a time. */
const pageSize = 1000;

/** Quests of one page of the hub (HUB-01). */
const hubPageSize = 50;

const keys = {
  all: ['quests'] as const,
  list: (filters: QuestFilters) => ['quests', 'list', filters] as const,
  pages: (filters: QuestFilters) => ['quests', 'pages', filters] as const,
  stats: (questIds: string[]) => ['quests', 'stats', questIds] as const,
  taskCounts: (taskIds: string[]) => ['quests', 'task-counts', taskIds] as const,
  detail: (id: string) => ['quests', 'detail', id] as const,
  tasks: (id: string) => ['quests', 'tasks', id] as const,
  byProject: (projectId: string) => ['quests', 'by-project', projectId] as const,
  emailCount: (id: string) => ['quests', 'email-count', id] as const,
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

function fetchQuests(filters: QuestFilters, cursor: string | null, signal: AbortSignal): Promise<QuestListItem[]> {
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

/** Lists and counts of published quests, by GET so that caches can answer them, and reads of single quests under the caller's own rights. */
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
  stats: (questIds: string[]) =>
    queryOptions({
      queryKey: keys.stats(questIds),
      queryFn: ({ signal }): Promise<SlotsById> => {
        const call = supabase().rpc('get_quest_completion_stats', { p_campaign_ids: questIds }, { get: true });
        const read = async () => {
          const rows = await unwrap(call.abortSignal(signal));
          return Object.fromEntries(rows.map(({ campaign_id, ...slots }) => [campaign_id, slots]));
        };
        return orFromTables(read(), () => slotsFromTables(questIds, signal));
      },
      enabled: questIds.length > 0,
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

  /** One quest, null when there is none that the caller may see. */
  detail: (id: string) =>
    queryOptions({
      queryKey: keys.detail(id),
      queryFn: ({ signal }): Promise<Quest | null> =>
        unwrap(supabase().from('campaigns').select().eq('id', id).abortSignal(signal).maybeSingle()),
    }),

  /** A quest's tasks in their order. */
  tasks: (id: string) =>
    queryOptions({
      queryKey: keys.tasks(id),
      queryFn: ({ signal }): Promise<Task[]> =>
        unwrap(
          supabase().from('tasks').select().eq('campaign_id', id).order('order_index').order('id').abortSignal(signal),
        ),
    }),

  /** A project's quests, newest first; drafts and closed ones only for their owner and admins. */
  byProject: (projectId: string) =>
    queryOptions({
      queryKey: keys.byProject(projectId),
      queryFn: ({ signal }): Promise<Quest[]> =>
        unwrap(
          supabase()
            .from('campaigns')
            .select()
            .eq('startup_id', projectId)
            .order('created_at', { ascending: false })
            .abortSignal(signal),
        ),
    }),

  /** How many e-mail addresses an own quest has collected. */
  emailCount: (id: string) =>
    queryOptions({
      queryKey: keys.emailCount(id),
      queryFn: ({ signal }): Promise<number> => countEmails(id, signal),
    }),
};

async function countEmails(questId: string, signal: AbortSignal): Promise<number> {
  let count = 0;
  await unwrap(
    supabase()
      .from('campaign_email_collections')
      .select('id', { count: 'exact', head: true })
      .eq('campaign_id', questId)
      .abortSignal(signal)
      .then((answer) => {
        count = answer.count ?? 0;
        return answer;
      }),
  );
  return count;
}

/** All addresses of an own quest, oldest first, read page by page past the row ceiling. */
export async function fetchCollectedEmails(questId: string): Promise<CollectedEmail[]> {
  const emails: CollectedEmail[] = [];
  for (;;) {
    const page: CollectedEmail[] = await unwrap(
      supabase()
        .from('campaign_email_collections')
        .select('id, email, collected_at')
        .eq('campaign_id', questId)
        .order('collected_at')
        .order('id')
        .range(emails.length, emails.length + pageSize - 1),
    );
    emails.push(...page);
    if (page.length < pageSize) return emails;
  }
}
