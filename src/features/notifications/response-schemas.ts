import * as z from 'zod/mini';

// Not in queries.ts, which every page of a member loads for the bell's count, so that they do not load the schema library.

/** Payload for a notification's sentence and link; each type has a subset (private.notify in supabase/schemas). */
export const notificationData = z.object({
  campaign_id: z.optional(z.string()),
  count: z.optional(z.number()),
  decided_by: z.optional(z.string()),
  delivery: z.optional(z.string()),
  due_at: z.optional(z.string()),
  held: z.optional(z.number()),
  kind: z.optional(z.string()),
  name: z.optional(z.string()),
  note: z.optional(z.string()),
  outcome: z.optional(z.string()),
  taken_back: z.optional(z.number()),
  points: z.optional(z.number()),
  project: z.optional(z.string()),
  quest: z.optional(z.string()),
  reason: z.optional(z.string()),
  status: z.optional(z.string()),
  task: z.optional(z.string()),
  title: z.optional(z.string()),
  wallet: z.optional(z.string()),
});
export type NotificationData = z.infer<typeof notificationData>;
