import { createEmulator } from 'emulate';
import { listen } from '../process/listen.ts';
import { createStripeGaps, RELAY_PATH, RELAYED_EVENTS } from './stripe-gaps.ts';
import { createWebhookSender } from './stripe-webhooks.ts';

export interface StripeOptions {
  /** Port on 127.0.0.1; 0 takes a free one. */
  port: number;
  /** Receives the signed events. */
  webhookUrl: string;
  webhookSecret: string;
}

export interface StripeEmulator {
  url: string;
  /** Resolves when every webhook event sent so far has had its first attempt. */
  eventsAttempted(): Promise<void>;
  close(): Promise<void>;
}

/** Stripe by `emulate`, with its gaps filled in front: API, hosted checkout page, signed webhooks with retries. */
export async function startStripe(options: StripeOptions): Promise<StripeEmulator> {
  let emulatorUrl = '';
  const webhooks = createWebhookSender(options.webhookUrl, options.webhookSecret);
  const app = createStripeGaps(() => emulatorUrl, webhooks);
  const { url, close } = await listen(app, options.port);

  const emulator = await createEmulator({
    service: 'stripe',
    port: 0,
    hostname: '127.0.0.1',
    seed: { stripe: { webhooks: [{ url: `${url}${RELAY_PATH}`, events: RELAYED_EVENTS }] } },
  });
  emulatorUrl = emulator.url.replace('localhost', '127.0.0.1');

  return {
    url,
    eventsAttempted: webhooks.attempted,
    close: async () => {
      webhooks.close();
      await Promise.all([close(), emulator.close()]);
    },
  };
}
