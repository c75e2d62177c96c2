import { type DatabaseConfig, installationOf, type MailConfig } from '../config.ts';
import { FunctionError } from '../errors.ts';
import type { Message } from './messages.ts';
import { renderMail, toHeaderText } from './template.ts';

export interface Delivery {
  /** The recipient's address. */
  to: string;
  message: Message;
  /** Idempotency key of the mail in this installation, valid for 24 hours. */
  idempotencyKey: string;
  /** One-click unsubscribe URL (RFC 8058); null when there is nothing to unsubscribe from. */
  oneClickUrl: string | null;
}

/**
 * Why no mail was sent. `failure`: this mail was refused. `deferred`: an outage of the provider, which has not accepted
 * it. `uncertain`: no response, so it may have been sent; for 24 hours the idempotency key prevents a duplicate on
 * retry.
 */
export type MailTrouble = 'failure' | 'deferred' | 'uncertain';

export class MailNotSent extends FunctionError {
  readonly trouble: MailTrouble;
  /** Retry-After of the provider in seconds; null when it sent none. */
  readonly retryAfterSeconds: number | null;

  constructor(trouble: MailTrouble, cause: unknown, retryAfterSeconds: number | null = null) {
    super('MAIL_NOT_SENT', [], cause);
    this.trouble = trouble;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Sends a mail through Resend, once and with a timeout; the outbox retries.
 * @returns seconds to wait before the next mail; 0 unless the provider's limit is reached.
 * @throws MailNotSent
 */
export async function sendMail(config: MailConfig & DatabaseConfig, delivery: Delivery): Promise<number> {
  const response = await post(config, delivery);
  const failure = response.ok ? null : ((await response.json().catch(() => null)) as { name?: string } | null);
  // The key was used for a different mail (with a changed first name, for example), which was delivered.
  if (response.ok || failure?.name === 'invalid_idempotent_request') {
    await response.body?.cancel();
    return response.headers.get('ratelimit-remaining') === '0' ? (secondsIn(response, 'ratelimit-reset') ?? 1) : 0;
  }
  throw new MailNotSent(
    troubleOf(response.status),
    new Error(`Resend answered ${response.status} ${failure?.name ?? ''}`),
    secondsIn(response, 'retry-after'),
  );
}

function troubleOf(status: number): MailTrouble {
  // After a gateway error the outcome is unknown.
  if (status === 502 || status === 504) return 'uncertain';
  // An invalid key, an exhausted quota, an outage: every other mail would fail too.
  return status >= 500 || [401, 403, 408, 429].includes(status) ? 'deferred' : 'failure';
}

/** Longest delay that is passed on, as in `fail_outbox_event`: whatever a provider asks for, an event is tried again the next day. */
const MAX_DELAY_SECONDS = 86_400;

/** Parses a Retry-After header in seconds or as an HTTP date. */
function secondsIn(response: Response, header: string): number | null {
  const value = response.headers.get(header);
  if (!value) return null;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, Math.ceil(seconds)), MAX_DELAY_SECONDS) : null;
}

async function post(config: MailConfig & DatabaseConfig, delivery: Delivery): Promise<Response> {
  const { to, message, idempotencyKey, oneClickUrl } = delivery;
  try {
    return await fetch(`${config.RESEND_API_URL}/emails`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${config.RESEND_API_KEY}`,
        'content-type': 'application/json',
        // Events of another installation have the same numbers.
        'idempotency-key': `${installationOf(config)}/${idempotencyKey}`,
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
      signal: AbortSignal.timeout(config.PROVIDER_TIMEOUT_MS),
    });
  } catch (error) {
    throw new MailNotSent(wasNeverReached(error) ? 'deferred' : 'uncertain', error);
  }
}

/** Whether no connection was established. Deno only says so in the message; any other wording counts as uncertain. */
function wasNeverReached(error: unknown): boolean {
  const reason =
    error instanceof Error ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}` : '';
  return /\(Connect\)|trying to connect|dns error/.test(reason);
}
