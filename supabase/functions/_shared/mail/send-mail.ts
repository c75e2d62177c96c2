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
 * Why no mail went out. `failure`: this mail was refused. `deferred`: the provider is in trouble and has not taken it. `uncertain`: nobody
 * answered, so it may have gone out; within 24 hours the idempotency key keeps a repetition from being sent twice.
 */
export type MailTrouble = 'failure' | 'deferred' | 'uncertain';

export class MailNotSent extends FunctionError {
  readonly trouble: MailTrouble;
  /** How long the provider wants to be left alone, in seconds; null when it said nothing. */
  readonly retryAfterSeconds: number | null;

  constructor(trouble: MailTrouble, cause: unknown, retryAfterSeconds: number | null = null) {
    super('MAIL_NOT_SENT', [], cause);
    this.trouble = trouble;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Hands a mail to Resend, once and with a deadline: the outbox repeats it.
 * @returns seconds to wait before the next mail; 0 unless the provider's limit is reached.
 * @throws MailNotSent
 */
export async function sendMail(config: MailConfig & DatabaseConfig, delivery: Delivery): Promise<number> {
  const response = await post(config, delivery);
  const failure = response.ok ? null : ((await response.json().catch(() => null)) as { name?: string } | null);
  // The key was used for a mail that differs (a changed first name, say): the reader has that one already.
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
  // A gateway's answer says nothing about what stands behind it.
  if (status === 502 || status === 504) return 'uncertain';
  // A wrong or replaced key, a used-up quota, an outage: every other mail would fail as well.
  return status >= 500 || [401, 403, 408, 429].includes(status) ? 'deferred' : 'failure';
}

/** A header in seconds, or as the date that HTTP also allows. */
function secondsIn(response: Response, header: string): number | null {
  const value = response.headers.get(header);
  if (!value) return null;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}

async function post(config: MailConfig & DatabaseConfig, delivery: Delivery): Promise<Response> {
  const { to, message, idempotencyKey, oneClickUrl } = delivery;
  try {
    return await fetch(`${config.RESEND_API_URL}/emails`, {
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
      signal: AbortSignal.timeout(config.PROVIDER_TIMEOUT_MS),
    });
  } catch (error) {
    throw new MailNotSent(wasNeverReached(error) ? 'deferred' : 'uncertain', error);
  }
}

/** Whether no connection came about. Deno says so in words alone; another wording counts as uncertain. */
function wasNeverReached(error: unknown): boolean {
  const reason =
    error instanceof Error ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}` : '';
  return /\(Connect\)|trying to connect|dns error/.test(reason);
}
