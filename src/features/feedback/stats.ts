import * as z from 'zod/mini';

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
