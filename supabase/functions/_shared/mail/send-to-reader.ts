import { z } from 'zod';
import type { DatabaseConfig, MailConfig, SiteConfig } from '../config.ts';
import { callProcedure } from '../database.ts';
import { FunctionError } from '../errors.ts';
import { log } from '../log.ts';
import type { MailFrame, Message } from './messages.ts';
import { sendMail } from './send-mail.ts';
import { unsubscribeLinks } from './unsubscribing.ts';

const admission = z.enum(['send', 'opted_out', 'limited', 'exhausted']);

export interface ReaderMail {
  email: string;
  compose(frame: MailFrame): Message;
  /** Of what happened, so that a repeated call mails once. */
  idempotencyKey: string;
  /** The outbox event behind it, which counts against the limits once; mails without one count each time. */
  eventId?: number;
}

/**
 * Sends a mail, unless its reader wants none (MAIL-02) or the limits of mails say no (TRUST-27).
 * @returns false when no mail goes out.
 * @throws FunctionError MAIL_NOT_SENT when it should be tried again, DATABASE_UNAVAILABLE
 */
export async function sendToReader(
  config: DatabaseConfig & SiteConfig & MailConfig,
  { email, compose, idempotencyKey, eventId }: ReaderMail,
): Promise<boolean> {
  const answer = await callProcedure(config, 'admit_mail', { p_email: email, p_event_id: eventId ?? null }, admission);
  if (answer === 'exhausted') throw new FunctionError('MAIL_NOT_SENT', ['the limit of mails for today is reached']);
  if (answer === 'limited') log('warn', 'mail_limited', { eventId });
  if (answer !== 'send') return false;
  const { pageUrl, oneClickUrl } = await unsubscribeLinks(config, email);
  await sendMail(config, {
    to: email,
    message: compose({ siteUrl: config.SITE_URL, unsubscribeUrl: pageUrl }),
    idempotencyKey,
    oneClickUrl,
  });
  return true;
}
