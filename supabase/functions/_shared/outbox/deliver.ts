import { z } from 'zod';
import type { DatabaseConfig, MailConfig, SiteConfig } from '../config.ts';
import { callProcedure } from '../database.ts';
import { DatabaseError, FunctionError, reasonOf } from '../errors.ts';
import { log } from '../log.ts';
import {
  confirmationMessage,
  type MailFrame,
  type Message,
  notificationMessage,
  welcomeMessage,
} from '../mail/messages.ts';
import { MailNotSent } from '../mail/send-mail.ts';
import { sendToReader } from '../mail/send-to-reader.ts';
import { noteFor } from './notes.ts';
import { completeEvent, failEvent, type OutboxEvent } from './outbox.ts';

export type DeliveryConfig = DatabaseConfig & SiteConfig & MailConfig;

export interface Outcome {
  /** Skipped: the event needs no mail, or nobody wants it. Deferred: an outage of the provider. */
  state: 'mailed' | 'skipped' | 'failed' | 'deferred';
  /** Seconds to wait before the next event. */
  pauseSeconds: number;
}

/** Default delay during an outage without Retry-After. */
const TROUBLE_SECONDS = 60;

const NO_MAIL = { isSent: false, pauseSeconds: 0 };

const welcome = z.object({ first_name: z.string().nullish(), is_startup: z.boolean() });

/** Handles one event and reports the result to the database. A failing event never stops the others. */
export async function deliver(event: OutboxEvent, config: DeliveryConfig): Promise<Outcome> {
  let isMailed = false;
  try {
    const { isSent, pauseSeconds } = await mail(event, config);
    isMailed = isSent;
    await completeEvent(config, event);
    return { state: isSent ? 'mailed' : 'skipped', pauseSeconds };
  } catch (error) {
    const refusal = error instanceof MailNotSent ? error : null;
    // A mail that went out and could not be completed must not go out again once the provider has forgotten its key.
    const trouble = refusal?.trouble ?? (isMailed ? 'uncertain' : 'failure');
    const retryAfterSeconds = refusal?.retryAfterSeconds ?? null;
    await report(event, config, { reason: reasonFor(error), trouble, retryAfterSeconds });
    return !refusal || trouble === 'failure'
      ? { state: 'failed', pauseSeconds: 0 }
      : { state: 'deferred', pauseSeconds: retryAfterSeconds ?? TROUBLE_SECONDS };
  }
}

/** Returns an event without an attempt, because of an outage of the provider. */
export function postpone(event: OutboxEvent, config: DeliveryConfig): Promise<void> {
  return report(event, config, { reason: 'MAIL_NOT_SENT: not tried', trouble: 'deferred', retryAfterSeconds: null });
}

async function report(
  event: OutboxEvent,
  config: DeliveryConfig,
  failure: Parameters<typeof failEvent>[2],
): Promise<void> {
  const { reason, trouble } = failure;
  log('warn', 'outbox_event_failed', { eventId: event.id, type: event.type, attempt: event.attempt, trouble, reason });
  // If this cannot be reported either, the lease expires and the event is claimed again.
  await failEvent(config, event, failure).catch(() => log('error', 'outbox_unreachable', { eventId: event.id }));
}

/** The idempotency key is the event's id, so that the provider deduplicates a retry after a lost response. */
async function mail(
  { email, ...event }: OutboxEvent,
  config: DeliveryConfig,
): Promise<{ isSent: boolean; pauseSeconds: number }> {
  if (!email) return NO_MAIL;
  const compose = await composer({ ...event, email }, config);
  if (!compose) return NO_MAIL;
  return await sendToReader(config, { email, compose, idempotencyKey: `event/${event.id}`, eventId: event.id });
}

/** Renders the event's mail; null for events without one. */
async function composer(
  { type, payload, email }: Pick<OutboxEvent, 'type' | 'payload'> & { email: string },
  config: DeliveryConfig,
): Promise<((frame: MailFrame) => Message) | null> {
  if (type === 'WelcomeRequested') {
    const { first_name, is_startup } = welcome.parse(payload);
    return (frame) => welcomeMessage({ firstName: first_name ?? undefined, isStartup: is_startup }, frame);
  }
  if (type === 'SubscriptionRequested') {
    const token = await callProcedure(config, 'get_confirmation_token', { p_email: email }, z.string().nullable());
    return token === null ? null : (frame) => confirmationMessage(token, frame);
  }
  const note = noteFor({ type, payload });
  return note && ((frame) => notificationMessage(note, frame));
}

function reasonFor(error: unknown): string {
  const code = error instanceof FunctionError || error instanceof DatabaseError ? error.code : 'UNEXPECTED';
  return `${code}: ${reasonOf(error)}`;
}
