import { z } from 'zod';
import type { DatabaseConfig } from '../config.ts';
import { callProcedure } from '../database.ts';
import type { MailTrouble } from '../mail/send-mail.ts';

/** Small batches, so that even with a slow mail provider all are done well before their lease expires. */
const BATCH = 5;
const LEASE_SECONDS = 120;

const outboxEvent = z.object({
  id: z.number().int(),
  /** `SubmissionRejected` and the like. */
  type: z.string(),
  payload: z.record(z.string(), z.unknown()),
  /** Number of this attempt, from 1. */
  attempt: z.number().int(),
  /** E-mail address of the person concerned; null when there is none. */
  email: z.string().nullable(),
});

export type OutboxEvent = z.infer<typeof outboxEvent>;

/**
 * Leases the next due events, or the given one, to this worker.
 * @throws FunctionError DATABASE_UNAVAILABLE
 */
export function claimEvents(config: DatabaseConfig, eventId: number | null = null): Promise<OutboxEvent[]> {
  const args = { p_limit: BATCH, p_lease_seconds: LEASE_SECONDS, p_event_id: eventId };
  return callProcedure(config, 'claim_outbox_events', args, z.array(outboxEvent));
}

/** Marks the event as processed. */
export async function completeEvent(config: DatabaseConfig, event: OutboxEvent): Promise<void> {
  await callProcedure(config, 'complete_outbox_event', { p_event_id: event.id }, z.unknown());
}

/** Reports a failed attempt; the database decides whether and when to retry. */
export async function failEvent(
  config: DatabaseConfig,
  event: OutboxEvent,
  { reason, trouble, retryAfterSeconds }: { reason: string; trouble: MailTrouble; retryAfterSeconds: number | null },
): Promise<void> {
  const args = {
    p_event_id: event.id,
    p_attempt: event.attempt,
    p_error: reason,
    p_kind: trouble,
    p_retry_after_seconds: retryAfterSeconds,
  };
  await callProcedure(config, 'fail_outbox_event', args, z.unknown());
}
