import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';

/** Delays before each delivery attempt, in milliseconds; Stripe retries for days, a laptop does not need that. */
const ATTEMPT_DELAYS_MS = [0, 1_000, 4_000, 15_000];
const DELIVERY_TIMEOUT_MS = 10_000;

const stripe = new Stripe('sk_test_signing_only');

export interface WebhookSender {
  /**
   * Resolves after the first attempt, for which Stripe's checkout page waits too; retries continue in the background.
   */
  send(type: string, object: object): Promise<void>;
  /** Resolves when every event sent so far has had its first attempt. */
  attempted(): Promise<void>;
  close(): void;
}

/** Delivers events signed like Stripe's (`Stripe-Signature: t=…,v1=…` over the raw body), and retries failures. */
export function createWebhookSender(url: string, secret: string): WebhookSender {
  const closed = new AbortController();
  const firstAttempts = new Set<Promise<boolean>>();

  async function attempt(payload: string): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: payload,
        headers: {
          'content-type': 'application/json',
          // Signed again for each attempt: the receiver refuses old timestamps.
          'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload, secret }),
        },
        signal: AbortSignal.any([closed.signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]),
      });
      return response.ok;
    } catch {
      return false;
    }
  }

  async function retryLater(payload: string, [delay, ...laterDelays]: number[]): Promise<void> {
    if (delay === undefined || closed.signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, delay).unref());
    if (closed.signal.aborted || (await attempt(payload))) return;
    await retryLater(payload, laterDelays);
  }

  return {
    async send(type, object) {
      const payload = JSON.stringify({
        id: `evt_${randomBytes(12).toString('hex')}`,
        object: 'event',
        created: Math.floor(Date.now() / 1000),
        livemode: false,
        pending_webhooks: 1,
        type,
        data: { object },
      });
      const first = attempt(payload);
      firstAttempts.add(first);
      const isDelivered = await first;
      firstAttempts.delete(first);
      if (!isDelivered) void retryLater(payload, ATTEMPT_DELAYS_MS.slice(1));
    },
    attempted: async () => {
      await Promise.all(firstAttempts);
    },
    close: () => closed.abort(),
  };
}
