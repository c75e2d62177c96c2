import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UserEvent } from '../identity/services.ts';

/** Delays before each attempt, in milliseconds; Clerk retries for days, a laptop does not need that. */
const ATTEMPT_DELAYS_MS = [0, 1_000, 4_000, 15_000];
const DELIVERY_TIMEOUT_MS = 10_000;

export interface ClerkWebhookTarget {
  /** The product's clerk-webhook function. */
  url: string;
  /** `whsec_` followed by the key in base64. */
  secret: string;
}

/** Headers with which Svix, Clerk's sender, signs a body: HMAC-SHA256 over `id.timestamp.body`. */
export function svixHeaders(body: string, secret: string, seconds = Math.floor(Date.now() / 1000)) {
  const id = `msg_${randomBytes(12).toString('hex')}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'svix-id': id, 'svix-timestamp': String(seconds), 'svix-signature': `v1,${signature}` };
}

/** Sends account events to the product as Clerk does, with retries. */
export async function sendClerkEvent(event: UserEvent, { url, secret }: ClerkWebhookTarget): Promise<void> {
  const body = JSON.stringify({ object: 'event', ...event });
  for (const delay of ATTEMPT_DELAYS_MS) {
    await sleep(delay, undefined, { ref: false });
    const isDelivered = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...svixHeaders(body, secret) },
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isDelivered) return;
  }
}
