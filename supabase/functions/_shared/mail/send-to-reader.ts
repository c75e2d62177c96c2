import { z } from 'zod';
import type { DatabaseConfig, MailConfig, SiteConfig } from '../config.ts';
import { callProcedure } from '../database.ts';
import { log } from '../log.ts';
import type { MailFrame, Message } from './messages.ts';
import { MailNotSent, sendMail } from './send-mail.ts';
import { unsubscribeLinks } from './unsubscribing.ts';

const HOUR_SECONDS = 3_600;

const admission = z.enum(['send', 'opted_out', 'limited', 'exhausted', 'settled']);

export interface ReaderMail {
  email: string;
  compose(frame: MailFrame): Message;
  /** Idempotency key, derived from the cause of the mail. */
  idempotencyKey: string;
  /** The outbox event, which counts against the limits once; mails without one count each time. */
  eventId?: number;
}

/**
 * Sends a mail, unless the recipient has opted out (MAIL-02) or was erased meanwhile, or the mail limits are reached (TRUST-27).
 * @returns whether a mail was sent, and how long to wait before the next one.
 * @throws MailNotSent when it should be tried again; FunctionError DATABASE_UNAVAILABLE
 */
export async function sendToReader(
  config: DatabaseConfig & SiteConfig & MailConfig,
  { email, compose, idempotencyKey, eventId }: ReaderMail,
): Promise<{ isSent: boolean; pauseSeconds: number }> {
  const answer = await callProcedure(config, 'admit_mail', { p_email: email, p_event_id: eventId ?? null }, admission);
  if (answer === 'exhausted')
    throw new MailNotSent('deferred', new Error('the limit of mails for today is reached'), HOUR_SECONDS);
  if (answer === 'limited') log('warn', 'mail_limited', { eventId });
  if (answer !== 'send') return { isSent: false, pauseSeconds: 0 };
  const { pageUrl, oneClickUrl } = await unsubscribeLinks(config, email);
  const pauseSeconds = await sendMail(config, {
    to: email,
    message: compose({ siteUrl: config.SITE_URL, unsubscribeUrl: pageUrl }),
    idempotencyKey,
    oneClickUrl,
  });
  return { isSent: true, pauseSeconds };
}
