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
import { sendToReader } from '../mail/send-to-reader.ts';
import { noteFor } from './notes.ts';
import { completeEvent, failEvent, type OutboxEvent } from './outbox.ts';

export type DeliveryConfig = DatabaseConfig & SiteConfig & MailConfig;

/** What became of an event. Skipped: it asks for no mail, or nobody is there who wants one. */
export type Outcome = 'mailed' | 'skipped' | 'failed';

const welcome = z.object({ first_name: z.string().nullish(), is_startup: z.boolean() });

/** Does what one event asks for and reports it to the database. One event's failure never stops the others. */
export async function deliver(event: OutboxEvent, config: DeliveryConfig): Promise<Outcome> {
  try {
    const isMailed = await mail(event, config);
    await completeEvent(config, event);
    return isMailed ? 'mailed' : 'skipped';
  } catch (error) {
    const reason = reasonFor(error);
    log('warn', 'outbox_event_failed', { eventId: event.id, type: event.type, attempt: event.attempt, reason });
    // When not even this can be reported, the lease ends by itself and the event comes again.
    await failEvent(config, event, reason).catch(() => log('error', 'outbox_unreachable', { eventId: event.id }));
    return 'failed';
  }
}

/** The key is the event's: after a lost answer the mail provider recognises the second try and sends nothing. */
async function mail({ email, ...event }: OutboxEvent, config: DeliveryConfig): Promise<boolean> {
  if (!email) return false;
  const compose = await composer({ ...event, email }, config);
  if (!compose) return false;
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
