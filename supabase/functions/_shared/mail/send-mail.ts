import { callProvider } from '../call-provider.ts';
import type { DatabaseConfig, MailConfig } from '../config.ts';
import { FunctionError } from '../errors.ts';
import type { Message } from './messages.ts';
import { renderMail, toHeaderText } from './template.ts';

export interface Delivery {
  /** The reader's address. */
  to: string;
  message: Message;
  /** The same key within 24 hours sends the mail once, however often it is asked for. */
  idempotencyKey: string;
  /** Address that ends these mails by a bare POST (RFC 8058); null when there is nothing to end. */
  oneClickUrl: string | null;
}

/**
 * Hands a mail to Resend, with a deadline and one retry.
 * @throws FunctionError MAIL_NOT_SENT
 */
export async function sendMail(config: MailConfig & DatabaseConfig, delivery: Delivery): Promise<void> {
  const response = await post(config, delivery);
  if (response.ok) return;
  const failure = (await response.json().catch(() => null)) as { name?: string } | null;
  // The key was used for a mail that differs (a changed first name, say): the reader has that one already.
  if (failure?.name === 'invalid_idempotent_request') return;
  throw new FunctionError('MAIL_NOT_SENT', [], new Error(`Resend answered ${response.status} ${failure?.name ?? ''}`));
}

async function post(config: MailConfig & DatabaseConfig, delivery: Delivery): Promise<Response> {
  const { to, message, idempotencyKey, oneClickUrl } = delivery;
  try {
    return await callProvider(
      `${config.RESEND_API_URL}/emails`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${config.RESEND_API_KEY}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify({
          from: config.MAIL_FROM,
          to,
          subject: toHeaderText(message.subject),
          ...renderMail(message),
          headers: oneClickUrl
            ? { 'List-Unsubscribe': `<${oneClickUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
            : {},
        }),
      },
      config.PROVIDER_TIMEOUT_MS,
    );
  } catch (error) {
    throw new FunctionError('MAIL_NOT_SENT', [], error);
  }
}
