/** Orders of the review list, as they stand in the address; a leading minus turns one around. The first is the default: what waits, due first. */
export const reviewSorts = ['status', 'oldest', 'newest', 'task', '-task', 'member', '-member', '-status'] as const;
export type ReviewSort = (typeof reviewSorts)[number];

export const reviewStatuses = ['pending', 'approved', 'rejected'] as const;
export type ReviewStatusFilter = (typeof reviewStatuses)[number];

/** Which submissions in which order; what is null or empty narrows nothing. Everything is the server's to do. */
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
