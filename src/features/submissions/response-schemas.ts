import * as z from 'zod/mini';

// Response schemas of queries.ts, in a module of their own so that first screens do not load the schema library.

export const performanceSchema = z.object({
  rejected: z.number(),
  /** Percentage of approved submissions. */
  completion_rate: z.number(),
  /** Null before the first decision. */
  median_review_seconds: z.nullable(z.number()),
  /** UTC days with submissions, oldest first. */
  days: z.array(z.object({ day: z.string(), submissions: z.number() })),
});
export type QuestPerformance = z.infer<typeof performanceSchema>;

/** Path of the signed URL, relative to the Supabase project. */
export const signedLink = z.object({ url: z.string().check(z.startsWith('/storage/v1/')) });
