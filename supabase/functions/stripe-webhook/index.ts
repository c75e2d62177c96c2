/**
 * Receives Stripe's events (C-20, BEY-20): only a verified payment activates a subscription or credits points, a refund or
 * dispute takes them back, a dispute that was won gives them again; an expired payment page frees its slot (C-21). An event that could not be
 * handled is answered with an error, and Stripe delivers it again; the database handles each event id once, so repeats
 * do nothing.
 */
import Stripe from 'stripe';
import { z } from 'zod';
import { readText } from '../_shared/body.ts';
import { FunctionError } from '../_shared/errors.ts';
import { log } from '../_shared/log.ts';
import { serveFunction } from '../_shared/serve.ts';
import { stripeClient } from '../_shared/stripe.ts';
import { type WebhookConfig, webhookConfig } from './config.ts';
import { handleEvent } from './handle-event.ts';

const MAX_BODY_BYTES = 256 * 1024;
/** Older signatures are refused, so that a recorded request cannot be replayed. */
const SIGNATURE_AGE_SECONDS = 300;

/** What every event of Stripe has. The library checks the signature only, and a JSON `null` can be signed too. */
const anyEvent = z.looseObject({
  id: z.string(),
  type: z.string(),
  data: z.looseObject({ object: z.looseObject({}) }),
});

serveFunction({ name: 'stripe-webhook', config: webhookConfig, post: receive });

async function receive(request: Request, config: WebhookConfig): Promise<Response> {
  const signature = request.headers.get('stripe-signature');
  if (!signature) throw new FunctionError('INVALID_SIGNATURE');
  const body = await readText(request, MAX_BODY_BYTES);
  const event = await verify(body, signature, config);
  if (!anyEvent.safeParse(event).success) throw new FunctionError('INVALID_INPUT');
  const isOurs = Boolean(event.livemode) === isLive(config.STRIPE_SECRET_KEY);
  const outcome = isOurs ? await handleEvent(event, config) : 'ignored';
  if (!isOurs) log('warn', 'stripe_event_of_other_mode', { eventId: event.id, type: event.type });
  log('info', 'stripe_event', { eventId: event.id, type: event.type, outcome });
  return Response.json({ received: true, outcome });
}

/** Whether this is a live key. Test payments must buy nothing in live mode, and vice versa (C-20). */
const isLive = (key: string): boolean => /^[a-z]+_live_/.test(key);

async function verify(body: string, signature: string, config: WebhookConfig): Promise<Stripe.Event> {
  const { webhooks } = stripeClient(config);
  const crypto = Stripe.createSubtleCryptoProvider();
  try {
    return await Promise.any(
      config.STRIPE_WEBHOOK_SECRET.map((secret) =>
        webhooks.constructEventAsync(body, signature, secret, SIGNATURE_AGE_SECONDS, crypto),
      ),
    );
  } catch (error) {
    throw new FunctionError('INVALID_SIGNATURE', [], error);
  }
}
