import type Stripe from 'stripe';
import { z } from 'zod';
import { installationOf } from '../_shared/config.ts';
import { callProcedure } from '../_shared/database.ts';
import { reasonOf } from '../_shared/errors.ts';
import { log } from '../_shared/log.ts';
import { callStripe, stripeClient } from '../_shared/stripe.ts';
import type { WebhookConfig } from './config.ts';

/** Result of an event; also the `outcome` in the webhook's response. */
export type Outcome =
  | 'activated'
  | 'not_activated'
  | 'credited'
  | 'not_credited'
  | 'refund_requested'
  | 'refund_failed'
  | 'ended'
  | 'reinstated'
  | 'not_reinstated'
  | 'released'
  | 'ignored';

/** Metadata set by create-checkout-session; sessions of other products in the account have none. */
const planSale = z.object({
  startup_id: z.uuid(),
  plan_id: z.string().min(1),
  price_cents: z.coerce.number().int().optional(),
});
const packSale = z.object({
  startup_id: z.uuid(),
  pack_id: z.string().min(1),
  points: z.coerce.number().int(),
  price_cents: z.coerce.number().int(),
});
const saleHold = z.object({ hold_id: z.uuid() });
const activation = z
  .object({ activated: z.boolean(), reason: z.string().nullish() })
  .transform(({ activated, reason }) => ({ isGiven: activated, reason }));
const credit = z
  .object({ credited: z.boolean(), reason: z.string().nullish() })
  .transform(({ credited, reason }) => ({ isGiven: credited, reason }));
const reinstatement = z.object({ reinstated: z.boolean(), reason: z.string().nullish() });

/**
 * Results of the database that require a refund, because the payment has bought nothing. Not `payment_ended`: that
 * payment is already refunded or disputed.
 */
const REFUNDED_REASONS = ['sold_out', 'already_subscribed', 'startup_not_found', 'unknown_plan'];

/** Handles one verified event. Throws when it must be redelivered. */
export async function handleEvent(event: Stripe.Event, config: WebhookConfig): Promise<Outcome> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return await fulfil(event.id, event.data.object, config);
    case 'charge.refunded':
      // A partial refund is goodwill and keeps the plan.
      return event.data.object.refunded ? await end(event, event.data.object, 'refunded', config) : 'ignored';
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return await release(event.data.object, config);
    case 'charge.dispute.created':
      return await end(event, event.data.object, 'disputed', config);
    case 'charge.dispute.closed':
      return await closeDispute(event, event.data.object, config);
    case 'refund.failed':
      // The card may be closed: the money is back in the account, and somebody has to pay it out in another way.
      log('error', 'refund_failed', { eventId: event.id, payment: idOf(event.data.object.payment_intent) });
      return 'refund_failed';
    default:
      return 'ignored';
  }
}

/** Fulfils what the session's metadata says was bought; null for other products in the account. */
function orderOf(metadata: Stripe.Metadata | null) {
  const plan = planSale.safeParse(metadata);
  if (plan.success) {
    const { startup_id, plan_id, price_cents = null } = plan.data;
    return {
      procedure: 'activate_subscription',
      args: { p_startup_id: startup_id, p_plan_id: plan_id, p_price_cents: price_cents },
      answer: activation,
      given: 'activated',
      notGiven: 'not_activated',
    } as const;
  }
  const pack = packSale.safeParse(metadata);
  if (!pack.success) return null;
  const { startup_id, pack_id, points, price_cents } = pack.data;
  return {
    procedure: 'credit_point_purchase',
    args: { p_startup_id: startup_id, p_pack_id: pack_id, p_points: points, p_price_cents: price_cents },
    answer: credit,
    given: 'credited',
    notGiven: 'not_credited',
  } as const;
}

/** Fulfils a paid session. A session with a pending payment gets another event later (C-110). */
async function fulfil(eventId: string, session: Stripe.Checkout.Session, config: WebhookConfig): Promise<Outcome> {
  const order = orderOf(session.metadata);
  const payment = idOf(session.payment_intent);
  if (session.payment_status !== 'paid' || !order || !payment) return 'ignored';

  const args = {
    ...order.args,
    p_event_id: eventId,
    p_payment_ref: payment,
    // Tax is added on top of the price.
    p_amount_cents: (session.amount_total ?? 0) - (session.total_details?.amount_tax ?? 0),
    p_currency: session.currency ?? 'usd',
  };
  const { isGiven, reason } = await callProcedure(config, order.procedure, args, order.answer);
  if (isGiven) {
    await recordReceipt(payment, config);
    return order.given;
  }
  // An unexpected amount needs a person's decision, so there is no automatic refund.
  if (reason === 'wrong_amount') log('error', 'payment_of_wrong_amount', { eventId, payment });
  if (!reason || !REFUNDED_REASONS.includes(reason)) return order.notGiven;
  // Another installation with the same account gets this event as well, and knows the project.
  const installation = session.metadata?.installation ?? installationOf(config);
  if (reason === 'startup_not_found' && installation !== installationOf(config)) return order.notGiven;
  await refund(payment, { startup_id: order.args.p_startup_id, reason }, config);
  return 'refund_requested';
}

/** Stores the URL of Stripe's receipt (C-110). The purchase is valid without it; Stripe mails the invoice. */
async function recordReceipt(payment: string, config: WebhookConfig): Promise<void> {
  try {
    const charges = await callStripe(() => stripeClient(config).charges.list({ payment_intent: payment, limit: 1 }));
    const url = charges.data[0]?.receipt_url;
    if (!url) return;
    await callProcedure(config, 'record_payment_receipt', { p_payment_ref: payment, p_receipt_url: url }, z.boolean());
  } catch (error) {
    log('warn', 'receipt_not_recorded', { payment, reason: reasonOf(error) });
  }
}

/** The page expired unpaid, or the bank refused later: frees the slot now instead of when the hold expires (C-21). */
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

/** Refunds a payment that has bought nothing (C-21). Idempotent by its key, and when somebody has refunded it by hand. */
async function refund(payment: string, metadata: Record<string, string>, config: WebhookConfig): Promise<void> {
  const options = { idempotencyKey: `refund/${payment}` };
  await callStripe(() =>
    stripeClient(config)
      .refunds.create({ payment_intent: payment, metadata }, options)
      .catch((error: { code?: string }) => {
        if (error.code !== 'charge_already_refunded') throw error;
      }),
  );
}

/** `warning_closed`: an inquiry that never became a dispute; no money moved, as with one that was won. */
const WON: readonly Stripe.Dispute.Status[] = ['won', 'warning_closed'];

/** Lost: the plan stays ended, and is ended now if the opening of the dispute was never delivered. */
async function closeDispute(event: Stripe.Event, dispute: Stripe.Dispute, config: WebhookConfig): Promise<Outcome> {
  if (!WON.includes(dispute.status)) return await end(event, dispute, 'disputed', config);
  const payment = idOf(dispute.payment_intent);
  if (!payment) return 'ignored';
  const args = { p_payment_ref: payment, p_event_id: event.id, p_dispute_ref: dispute.id };
  const { reinstated, reason } = await callProcedure(config, 'reinstate_payment', args, reinstatement);
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
  await callProcedure(config, 'end_payment', { ...args, ...cause }, z.unknown());
  return 'ended';
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
