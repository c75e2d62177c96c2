import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { cursorPages } from '@/lib/paging';
import { readWithFallback, supabase, unwrap, withSignal } from '@/lib/supabase';
import type { Tables } from '@/types/database';

const stars = ['1', '2', '3', '4', '5'] as const;
type Star = (typeof stars)[number];

/** Statistics of a project's ratings (FEED-09). */
export type FeedbackStats = {
  /** Rounded to one decimal; 0 without reviews. */
  averageRating: number;
  totalReviews: number;
  /** Reviews by number of stars. */
  ratingDistribution: Record<Star, number>;
};

/** Shown while loading, and when loading failed. */
export const noFeedbackStats: FeedbackStats = {
  averageRating: 0,
  totalReviews: 0,
  ratingDistribution: { '1': 0, '2': 0, '3': 0, '4': 0, '5': 0 },
};

const rowSchema = z.object({
  average_rating: z.coerce.number(),
  total_reviews: z.number(),
  rating_distribution: z.record(z.enum(stars), z.number()),
});

/** Parses the row of `get_project_feedback_stats`. Throws ZodError on an unexpected shape. */
export function toFeedbackStats(row: unknown): FeedbackStats {
  const { average_rating, total_reviews, rating_distribution } = rowSchema.parse(row);
  return {
    averageRating: Math.round(average_rating * 10) / 10,
    totalReviews: total_reviews,
    ratingDistribution: rating_distribution,
  };
}

/** The same computed from ratings, for a server without the procedure (DB-28). */
export function countRatings(ratings: readonly number[]): FeedbackStats {
  if (ratings.length === 0) return noFeedbackStats;
  const ratingDistribution = { ...noFeedbackStats.ratingDistribution };
  for (const star of stars) ratingDistribution[star] = ratings.filter((rating) => rating === Number(star)).length;
  const average = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
  return { averageRating: Math.round(average * 10) / 10, totalReviews: ratings.length, ratingDistribution };
}

/** A member's rating of a project, without its author. */
export type ProjectFeedbackEntry = Omit<Tables<'project_feedback'>, 'user_id' | 'project_id'>;

/** Lists the columns, because nobody may read user_id. */
const columns = 'id, rating, feedback_text, created_at, updated_at';

/** Page size of reviews. */
const reviewsPerPage = 5;

const keys = {
  all: ['feedback'] as const,
  list: (projectId: string) => ['feedback', projectId, 'list'] as const,
  stats: (projectId: string) => ['feedback', projectId, 'stats'] as const,
  own: (projectId: string, userId: string) => ['feedback', projectId, 'own', userId] as const,
};

async function fetchStats(projectId: string, signal: AbortSignal): Promise<FeedbackStats> {
  const call = supabase().rpc('get_project_feedback_stats', { p_project_id: projectId }, { get: true });
  const [row] = await unwrap(call.abortSignal(signal));
  return row ? toFeedbackStats(row) : noFeedbackStats;
}

async function countStats(projectId: string, signal: AbortSignal): Promise<FeedbackStats> {
  const call = supabase().from('project_feedback').select('rating').eq('project_id', projectId);
  return countRatings((await unwrap(call.abortSignal(signal))).map(({ rating }) => rating));
}

/** The caller's review of a project, null when there is none yet (FEED-08). */
export function fetchOwnReview(projectId: string, signal?: AbortSignal): Promise<ProjectFeedbackEntry | null> {
  const args = { p_project_id: projectId };
  const call = supabase().rpc('get_own_project_feedback', args, { get: true }).select(columns);
  return unwrap(withSignal(call, signal).maybeSingle());
}

/** Queries of project feedback (DB-15). */
export const feedbackQueries = {
  keys,

  /** A project's reviews, newest first, five per page. */
  project: (projectId: string) =>
    infiniteQueryOptions({
      queryKey: keys.list(projectId),
      ...cursorPages(reviewsPerPage, (cursor, signal) => {
        const args = { p_project_id: projectId, p_limit: reviewsPerPage, p_cursor: cursor ?? undefined };
        return unwrap(supabase().rpc('list_project_feedback', args, { get: true }).abortSignal(signal));
      }),
    }),

  /** Average, number and distribution of a project's ratings (FEED-09). */
  projectStats: (projectId: string) =>
    queryOptions({
      queryKey: keys.stats(projectId),
      queryFn: ({ signal }) => readWithFallback(fetchStats(projectId, signal), () => countStats(projectId, signal)),
    }),

  /** The person's own review, null when there is none yet (FEED-08). */
  own: (projectId: string, userId: string) =>
    queryOptions({
      queryKey: keys.own(projectId, userId),
      queryFn: ({ signal }) => fetchOwnReview(projectId, signal),
    }),
};
