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
  /** Skipped: it asks for no mail, or nobody is there who wants one. Deferred: the provider is in trouble. */
  state: 'mailed' | 'skipped' | 'failed' | 'deferred';
  /** How long the provider wants to be left alone before the next event. */
  pauseSeconds: number;
}

/** How long to leave a provider alone that is in trouble and does not say how long. */
const TROUBLE_SECONDS = 60;

const NO_MAIL = { isSent: false, pauseSeconds: 0 };

const welcome = z.object({ first_name: z.string().nullish(), is_startup: z.boolean() });

/** Does what one event asks for and reports it to the database. One event's failure never stops the others. */
export async function deliver(event: OutboxEvent, config: DeliveryConfig): Promise<Outcome> {
  try {
    const { isSent, pauseSeconds } = await mail(event, config);
    await completeEvent(config, event);
    return { state: isSent ? 'mailed' : 'skipped', pauseSeconds };
  } catch (error) {
    const trouble = error instanceof MailNotSent ? error.trouble : 'failure';
    const retryAfterSeconds = error instanceof MailNotSent ? error.retryAfterSeconds : null;
    await report(event, config, { reason: reasonFor(error), trouble, retryAfterSeconds });
    return trouble === 'failure'
      ? { state: 'failed', pauseSeconds: 0 }
      : { state: 'deferred', pauseSeconds: retryAfterSeconds ?? TROUBLE_SECONDS };
  }
}

/** Gives an event back untried, because the provider is in trouble. */
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
  // When not even this can be reported, the lease ends by itself and the event comes again.
  await failEvent(config, event, failure).catch(() => log('error', 'outbox_unreachable', { eventId: event.id }));
}

/** The key is the event's: after a lost answer the mail provider recognises the second try and sends nothing. */
async function mail(
  { email, ...event }: OutboxEvent,
  config: DeliveryConfig,
): Promise<{ isSent: boolean; pauseSeconds: number }> {
  if (!email) return NO_MAIL;
  const compose = await composer({ ...event, email }, config);
  if (!compose) return NO_MAIL;
  return await sendToReader(config, { email, compose, idempotencyKey: `event/${event.id}`, eventId: event.id });
}

/** How the event's mail is written; null for events that ask for none. */
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
