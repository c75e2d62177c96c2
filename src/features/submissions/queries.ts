import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callFunction } from '@/lib/authorized-fetch';
import { getEnv } from '@/lib/env';
import { cursorPages, fetchAllByCursor, keepPreviousRows, maxPageSize } from '@/lib/paging';
import { poll } from '@/lib/query-client';
import { supabase, unwrap, withSignal } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';
import type { QuestPerformance } from './response-schemas';

/** A member's proof of a task. `submitted_at` is later than `created_at` when it was resubmitted (C-08). */
export type Submission = Omit<Tables<'submissions'>, 'flags' | 'is_flagged'>;

type ReviewRow = Database['public']['Functions']['list_review_submissions']['Returns'][number];

/** A submission for its reviewer, with quest, task and member's name; `flags`: see flags.ts. */
export type ReviewedSubmission = Omit<ReviewRow, 'cursor'>;

/** The cached pages of the review list. */
export type ReviewPages = InfiniteData<ReviewRow[]>;

/** Submissions of a quest by status; `flagged_count`: flagged pending ones. */
export type ReviewCounts = Database['public']['Functions']['get_review_counts']['Returns'][number];

/** A member's consent to share an e-mail address with a project (BEY-10). */
export type EmailConsent = Tables<'email_consents'>;

/**
 * Sort orders of the review list in the URL; a leading minus reverses one. The default is the first: pending ones
 * first, by due time.
 */
export const reviewSorts = ['status', 'oldest', 'newest', 'task', '-task', 'member', '-member', '-status'] as const;
export type ReviewSort = (typeof reviewSorts)[number];

export const reviewStatuses = ['pending', 'approved', 'rejected'] as const;
export type ReviewStatusFilter = (typeof reviewStatuses)[number];

/** Filters and order; null or empty means no filter. All are applied by the server. */
export type ReviewFilters = {
  questId: string | null;
  taskId: string | null;
  status: ReviewStatusFilter | null;
  isFlagged: boolean;
  search: string;
  sort: ReviewSort;
};

/** All submissions of one quest, or of all (null), newest first. */
export const allOfQuest = (questId: string | null): ReviewFilters => ({
  questId,
  taskId: null,
  status: null,
  isFlagged: false,
  search: '',
  sort: 'newest',
});

/** The filters as arguments of list_review_submissions. */
const reviewArguments = (filters: ReviewFilters, limit: number, cursor: string | null) => ({
  p_campaign_id: filters.questId ?? undefined,
  p_task_id: filters.taskId ?? undefined,
  p_status: filters.status ?? undefined,
  p_is_flagged: filters.isFlagged || undefined,
  p_search: filters.search.slice(0, 100) || undefined,
  p_sort: filters.sort,
  p_limit: limit,
  p_cursor: cursor ?? undefined,
});

/** Page size of the review list (SUBM-05). */
const pageSize = 100;
/** Lifetime of signed URLs for private screenshots, in seconds (C-59). */
const linkSeconds = 300;

const keys = {
  all: ['submissions'] as const,
  mine: (userId: string, questId: string) => ['submissions', 'mine', userId, questId] as const,
  reviews: ['submissions', 'review'] as const,
  review: (filters: ReviewFilters) => ['submissions', 'review', filters] as const,
  counts: ['submissions', 'counts'] as const,
  recent: (questId: string) => ['submissions', 'recent', questId] as const,
  taskTotals: (taskIds: string[]) => ['submissions', 'task-totals', taskIds] as const,
  performance: (questId: string) => ['submissions', 'performance', questId] as const,
  detail: (id: string) => ['submissions', 'detail', id] as const,
  /** Not below `all`: a decision must not have every screenshot signed and loaded again. */
  proofLink: (objectName: string) => ['proof-link', objectName] as const,
  consentStatement: (questId: string) => ['submissions', 'consent-statement', questId] as const,
  consents: (userId: string) => ['submissions', 'consents', userId] as const,
};

function fetchReviews(
  filters: ReviewFilters,
  cursor: string | null,
  limit: number,
  signal?: AbortSignal,
): Promise<ReviewRow[]> {
  const call = supabase().rpc('list_review_submissions', reviewArguments(filters, limit, cursor), { get: true });
  return unwrap(withSignal(call, signal));
}

function countByTask(taskId: string, signal: AbortSignal): Promise<number> {
  const rows = supabase().from('submissions').select('id', { count: 'exact', head: true }).eq('task_id', taskId);
  // The count is beside the data, which a HEAD request does not have.
  const call = rows
    .abortSignal(signal)
    .then((answer) => (answer.error ? answer : { ...answer, data: answer.count ?? 0 }));
  return unwrap(call);
}

/** The member's pending or approved submission of a task, null when there is none. */
export function findOpenSubmission(taskId: string, userId: string): Promise<Submission | null> {
  const rows = supabase().from('submissions').select().eq('task_id', taskId).eq('user_id', userId);
  return unwrap(rows.neq('status', 'rejected').maybeSingle());
}

/** Queries of submissions with the caller's own rights as member, quest owner or admin. */
export const submissionQueries = {
  keys,

  /** A member's submissions in one quest, at most one per task. */
  mine: (userId: string, questId: string) =>
    queryOptions({
      queryKey: keys.mine(userId, questId),
      queryFn: ({ signal }): Promise<Submission[]> =>
        unwrap(
          supabase().from('submissions').select().eq('campaign_id', questId).eq('user_id', userId).abortSignal(signal),
        ),
      ...poll(60),
    }),

  /** The review list, 100 per page. */
  review: (filters: ReviewFilters) =>
    infiniteQueryOptions({
      queryKey: keys.review(filters),
      ...cursorPages(pageSize, (cursor, signal) => fetchReviews(filters, cursor, pageSize, signal)),
      placeholderData: keepPreviousRows,
    }),

  /** Counts per quest of the caller's project. Polled every 60 s. */
  counts: () =>
    queryOptions({
      queryKey: keys.counts,
      queryFn: ({ signal }): Promise<ReviewCounts[]> =>
        unwrap(supabase().rpc('get_review_counts', {}, { get: true }).abortSignal(signal)),
      ...poll(60),
    }),

  /** One submission with its task and quest; null when it does not exist or is not visible to the caller. */
  detail: (id: string) =>
    queryOptions({
      queryKey: keys.detail(id),
      queryFn: ({ signal }) =>
        unwrap(
          supabase()
            .from('submissions')
            .select('*, tasks(title), campaigns(title)')
            .eq('id', id)
            .abortSignal(signal)
            .maybeSingle(),
        ),
    }),

  /** The latest three, for the quest's owner (QUEST-11). */
  recent: (questId: string) =>
    queryOptions({
      queryKey: keys.recent(questId),
      queryFn: ({ signal }) => fetchReviews(allOfQuest(questId), null, 3, signal),
      ...poll(60),
    }),

  /** Submissions of each task in any state, by task id. */
  taskTotals: (taskIds: string[]) =>
    queryOptions({
      queryKey: keys.taskTotals(taskIds),
      queryFn: async ({ signal }): Promise<Record<string, number>> =>
        Object.fromEntries(await Promise.all(taskIds.map(async (id) => [id, await countByTask(id, signal)] as const))),
      placeholderData: keepPreviousData,
    }),

  /** Analytics of a quest beyond its own counters (QUEST-12, C-108). */
  performance: (questId: string) =>
    queryOptions({
      queryKey: keys.performance(questId),
      queryFn: async ({ signal }): Promise<QuestPerformance> => {
        const call = supabase().rpc('get_campaign_performance_stats', { p_campaign_id: questId }, { get: true });
        const [stats, { performanceSchema }] = await Promise.all([
          unwrap(call.abortSignal(signal)),
          import('./response-schemas'),
        ]);
        return performanceSchema.parse(stats);
      },
    }),

  /** The consent sentence for sharing an address with this quest; null when it collects none (BEY-10). */
  consentStatement: (questId: string) =>
    queryOptions({
      queryKey: keys.consentStatement(questId),
      queryFn: ({ signal }): Promise<string | null> =>
        unwrap(supabase().rpc('get_consent_statement', { p_campaign_id: questId }, { get: true }).abortSignal(signal)),
    }),

  /** A member's consents, newest first. */
  consents: (userId: string) =>
    queryOptions({
      queryKey: keys.consents(userId),
      queryFn: ({ signal }): Promise<EmailConsent[]> =>
        unwrap(
          supabase()
            .from('email_consents')
            .select()
            .eq('user_id', userId)
            .order('given_at', { ascending: false })
            .order('id')
            .abortSignal(signal),
        ),
    }),

  /** A signed URL of a private screenshot, valid for five minutes (C-59) and renewed before it expires. */
  proofLink: (objectName: string) =>
    queryOptions({
      queryKey: keys.proofLink(objectName),
      queryFn: async ({ signal }): Promise<string> => {
        const [link, { signedLink }] = await Promise.all([
          callFunction('sign-proof', { path: objectName }, signal),
          import('./response-schemas'),
        ]);
        const { url } = signedLink.parse(link);
        return `${getEnv().VITE_SUPABASE_URL}${url}`;
      },
      staleTime: (linkSeconds - 60) * 1000,
      gcTime: (linkSeconds - 60) * 1000,
      refetchInterval: (linkSeconds - 60) * 1000,
    }),
};

/** All submissions that match the filters; `onRows` is called with the number of rows fetched so far. */
export function fetchAllSubmissions(
  filters: ReviewFilters,
  onRows: (count: number) => void,
): Promise<ReviewedSubmission[]> {
  return fetchAllByCursor((cursor) => fetchReviews(filters, cursor, maxPageSize), maxPageSize, onRows);
}
