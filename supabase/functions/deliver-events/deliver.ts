import { DatabaseError, FunctionError, reasonOf } from '../_shared/errors.ts';
import { log } from '../_shared/log.ts';
import { sendNotification } from '../_shared/mail/notification.ts';
import type { DeliveryConfig } from './config.ts';
import { noteFor } from './notes.ts';
import { completeEvent, failEvent, type OutboxEvent } from './outbox.ts';

/** What became of an event. Skipped: it asks for no mail, or nobody is there who wants one. */
export type Outcome = 'mailed' | 'skipped' | 'failed';

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
async function mail(event: OutboxEvent, config: DeliveryConfig): Promise<boolean> {
  const note = noteFor(event);
  if (!note || !event.email) return false;
  return await sendNotification(config, event.email, note, `event/${event.id}`);
}

function reasonFor(error: unknown): string {
  const code = error instanceof FunctionError || error instanceof DatabaseError ? error.code : 'UNEXPECTED';
  return `${code}: ${reasonOf(error)}`;
}
