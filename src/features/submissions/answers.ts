import * as z from 'zod/mini';

// What queries.ts checks of what it is answered: apart, because first screens read none of it and go without the schema library.

export const performanceSchema = z.object({
  rejected: z.number(),
  /** Approved proofs among all, in percent. */
  completion_rate: z.number(),
  /** Null before the first decision. */
  median_review_seconds: z.nullable(z.number()),
  /** Days in UTC that have any submission, the oldest first. */
  days: z.array(z.object({ day: z.string(), submissions: z.number() })),
});
export type QuestPerformance = z.infer<typeof performanceSchema>;

/** A link to a private file. The address below the project's own. */
export const signedLink = z.object({ url: z.string().check(z.startsWith('/storage/v1/')) });
