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

/** All submissions of one quest, or of all (null). */
export const allOfQuest = (questId: string | null, sort: ReviewSort = 'status'): ReviewFilters => ({
  questId,
  taskId: null,
  status: null,
  isFlagged: false,
  search: '',
  sort,
});

/** The filters as arguments of list_review_submissions. */
export const reviewArguments = (filters: ReviewFilters, limit: number, cursor: string | null) => ({
  p_campaign_id: filters.questId ?? undefined,
  p_task_id: filters.taskId ?? undefined,
  p_status: filters.status ?? undefined,
  p_is_flagged: filters.isFlagged || undefined,
  p_search: filters.search.slice(0, 100) || undefined,
  p_sort: filters.sort,
  p_limit: limit,
  p_cursor: cursor ?? undefined,
});
