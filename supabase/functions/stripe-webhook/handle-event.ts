import type Stripe from 'stripe';
import { z } from 'zod';
import { callProcedure } from '../_shared/database.ts';
import { log } from '../_shared/log.ts';
import { callStripe, stripeClient } from '../_shared/stripe.ts';
import type { WebhookConfig } from './config.ts';

/** What became of an event; also the `outcome` of the webhook's answer. */
export type Outcome =
  | 'activated'
  | 'not_activated'
  | 'refund_requested'
  | 'ended'
  | 'reinstated'
  | 'not_reinstated'
  | 'released'
  | 'ignored';

/** The metadata that create-checkout-session gave; sessions of other products in the account have none. */
const saleMetadata = z.object({
  startup_id: z.uuid(),
  plan_id: z.string().min(1),
  price_cents: z.coerce.number().int().optional(),
});
const saleHold = z.object({ hold_id: z.uuid() });
const activation = z.object({ activated: z.boolean(), reason: z.string().nullish() });
const reinstatement = z.object({ reinstated: z.boolean(), reason: z.string().nullish() });

/**
 * Answers of `activate_subscription` and `reinstate_subscription` after which a payment has bought nothing.
 * `payment_ended` is not among them: that payment was refunded or is disputed.
 */
const REFUNDED_REASONS = ['sold_out', 'already_subscribed', 'startup_not_found', 'unknown_plan'];

/** Acts on one verified event. Throws when it must be delivered again. */
export async function handleEvent(event: Stripe.Event, config: WebhookConfig): Promise<Outcome> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return await activate(event.id, event.data.object, config);
    case 'charge.refunded':
      // A partial refund is a goodwill of ours and leaves the plan alone.
      return event.data.object.refunded ? await end(event, event.data.object, 'refunded', config) : 'ignored';
    case 'checkout.session.expired':
      return await release(event.data.object, config);
    case 'charge.dispute.created':
      return await end(event, event.data.object, 'disputed', config);
    case 'charge.dispute.closed':
      return await closeDispute(event, event.data.object, config);
    default:
      return 'ignored';
  }
}

async function activate(eventId: string, session: Stripe.Checkout.Session, config: WebhookConfig): Promise<Outcome> {
  const sale = saleMetadata.safeParse(session.metadata);
  const payment = idOf(session.payment_intent);
  if (session.payment_status !== 'paid' || !sale.success || !payment) return 'ignored';

  const { activated, reason } = await callProcedure(
    config,
    'activate_subscription',
    {
      p_startup_id: sale.data.startup_id,
      p_plan_id: sale.data.plan_id,
      p_event_id: eventId,
      p_payment_ref: payment,
      p_amount_cents: session.amount_total ?? 0,
      p_price_cents: sale.data.price_cents ?? null,
      p_currency: session.currency ?? 'usd',
    },
    activation,
  );
  if (activated) return 'activated';
  // Not what the page asked for: nobody but a person can say what this is, so no money goes back by itself.
  if (reason === 'wrong_amount') log('error', 'payment_of_wrong_amount', { eventId, payment });
  if (!reason || !REFUNDED_REASONS.includes(reason)) return 'not_activated';
  await refund(payment, { startup_id: sale.data.startup_id, reason }, config);
  return 'refund_requested';
}

/** Nobody paid on this page: its slot is free at once instead of when the hold runs out (C-21). */
async function release(session: Stripe.Checkout.Session, config: WebhookConfig): Promise<Outcome> {
  const hold = saleHold.safeParse(session.metadata);
  if (!hold.success) return 'ignored';
  const isReleased = await callProcedure(
    config,
    'release_checkout_slot',
    { p_hold_id: hold.data.hold_id },
    z.boolean(),
  );
  return isReleased ? 'released' : 'ignored';
}

/** Gives the money back, so that nobody pays for nothing (C-21). The key makes a repeated event ask once. */
async function refund(payment: string, metadata: Record<string, string>, config: WebhookConfig): Promise<void> {
  await callStripe(() =>
    stripeClient(config).refunds.create({ payment_intent: payment, metadata }, { idempotencyKey: `refund/${payment}` }),
  );
}

/** `warning_closed`: an inquiry that never became a dispute; no money moved, as with one that was won. */
const WON: readonly Stripe.Dispute.Status[] = ['won', 'warning_closed'];

/** Lost: the plan stays ended, and is ended now if the dispute's beginning was never told. */
async function closeDispute(event: Stripe.Event, dispute: Stripe.Dispute, config: WebhookConfig): Promise<Outcome> {
  if (!WON.includes(dispute.status)) return await end(event, dispute, 'disputed', config);
  const payment = idOf(dispute.payment_intent);
  if (!payment) return 'ignored';
  const args = { p_payment_ref: payment, p_event_id: event.id, p_dispute_ref: dispute.id };
  const { reinstated, reason } = await callProcedure(config, 'reinstate_subscription', args, reinstatement);
  if (reinstated) return 'reinstated';
  if (!reason || !REFUNDED_REASONS.includes(reason)) return 'not_reinstated';
  await refund(payment, { reason }, config);
  return 'refund_requested';
}

async function end(
  event: Stripe.Event,
  { id, payment_intent }: Pick<Stripe.Charge | Stripe.Dispute, 'id' | 'payment_intent'>,
  status: 'refunded' | 'disputed',
  config: WebhookConfig,
): Promise<Outcome> {
  const payment = idOf(payment_intent);
  if (!payment) return 'ignored';
  const args = { p_payment_ref: payment, p_event_id: event.id, p_status: status };
  const cause = status === 'disputed' ? { p_dispute_ref: id } : {};
  await callProcedure(config, 'end_subscription', { ...args, ...cause }, z.unknown());
  return 'ended';
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
