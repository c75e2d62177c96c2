import type { DatabaseConfig, MailConfig, SiteConfig } from '../config.ts';
import { type Note, notificationMessage } from './messages.ts';
import { sendMail } from './send-mail.ts';
import { hasUnsubscribed, unsubscribeLinks } from './unsubscribing.ts';

/**
 * Sends one notification (C-50), unless its reader has unsubscribed (MAIL-02).
 * @param idempotencyKey of what happened, so that a repeated call mails once.
 * @returns false when the reader wants no mails.
 * @throws FunctionError MAIL_NOT_SENT, DATABASE_UNAVAILABLE
 */
export async function sendNotification(
  config: DatabaseConfig & SiteConfig & MailConfig,
  email: string,
  note: Note,
  idempotencyKey: string,
): Promise<boolean> {
  if (await hasUnsubscribed(config, email)) return false;
  const { pageUrl, oneClickUrl } = await unsubscribeLinks(config, email);
  await sendMail(config, {
    to: email,
    message: notificationMessage(note, { siteUrl: config.SITE_URL, unsubscribeUrl: pageUrl }),
    idempotencyKey: `notification/${idempotencyKey}`,
    oneClickUrl,
  });
  return true;
}
