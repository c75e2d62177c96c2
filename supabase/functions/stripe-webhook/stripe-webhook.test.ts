import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectedEvents } from '../../../local/doctor/checks/payments.ts';
import { type Served, serveFunctions, WEBHOOK_SECRET } from '../_testing/served-functions.ts';

const HOLD = '0b8e4a52-9a5d-4a0e-8a37-1d5ce0a0c5f4';
const STARTUP = 'd7c5a3c4-6c3c-4f5e-9d7a-0a4c9f6f2b11';
const stripe = new Stripe('sk_test_signing_only');

let served: Served;

beforeAll(async () => {
  served = await serveFunctions();
});
afterAll(() => served.close());
// A refund is answered before its event is sent, which would be a call in the next test.
afterEach(() => served.emulators.eventsAttempted());
beforeEach(() => {
  const { procedures, calls } = served.backend;
  calls.length = 0;
  procedures.clear();
  procedures.set('activate_subscription', () => ({ activated: true, reason: null }));
  procedures.set('end_payment', () => ({ ended: true }));
  procedures.set('reinstate_payment', () => ({ reinstated: true, reason: null }));
  procedures.set('release_checkout_slot', () => true);
  procedures.set('credit_point_purchase', () => ({ credited: true, reason: null }));
  procedures.set('record_payment_receipt', () => true);
});

const paidSession = (changes = {}) => ({
  id: 'cs_1',
  object: 'checkout.session',
  payment_status: 'paid',
  payment_intent: 'pi_1',
  amount_total: 9_900,
  metadata: { startup_id: STARTUP, plan_id: 'og_lifetime' },
  ...changes,
});

const dispute = (status: string) => ({ id: 'dp_1', object: 'dispute', payment_intent: { id: 'pi_1' }, status });

function eventOf(type: string, object: object, id = `evt_${crypto.randomUUID()}`): string {
  return JSON.stringify({ id, object: 'event', type, data: { object } });
}

function deliver(payload: string, signing: { secret?: string; timestamp?: number } = {}): Promise<Response> {
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, ...signing });
  return served.post('stripe-webhook', payload, { 'stripe-signature': signature });
}

const callsOf = (name: string) => served.backend.calls.filter((call) => call.name === name).map((call) => call.args);

/** Buys at the emulator as a user would: the session through the API, then the button of the payment page. */
async function pay(
  amount = 9_900,
  metadata: Record<string, string | number> = { startup_id: STARTUP, plan_id: 'og_lifetime', price_cents: 9_900 },
): Promise<void> {
  const { hostname: host, port } = new URL(served.emulators.stripeUrl);
  const client = new Stripe('sk_test', { protocol: 'http', host, port });
  const session = await client.checkout.sessions.create({
    mode: 'payment',
    success_url: 'http://site.functions.test/startup',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: amount, product_data: { name: 'OG Lifetime Access' } },
      },
    ],
    metadata,
  });
  const page = await fetch(`${session.url}/complete`, { method: 'POST', redirect: 'manual' });
  expect(page.headers.get('location')).toBe('http://site.functions.test/startup');
}

const refundsOf = async (payment: unknown) => {
  const response = await fetch(`${served.emulators.stripeUrl}/v1/refunds?payment_intent=${payment}`);
  return ((await response.json()) as { data: object[] }).data;
};

describe('the signature', () => {
  it.each([
    ['made with another secret', { secret: 'whsec_wrong' }],
    ['older than five minutes', { timestamp: Math.floor(Date.now() / 1000) - 301 }],
  ])('C-20 %s is refused', async (_name, signing) => {
    const response = await deliver(eventOf('checkout.session.completed', paidSession()), signing);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(served.backend.calls).toEqual([]);
  });

  it('C-20 does not cover a changed body, and a missing one is refused', async () => {
    const payload = eventOf('checkout.session.completed', paidSession());
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
    const changed = payload.replace('9900', '1');
    expect((await served.post('stripe-webhook', changed, { 'stripe-signature': signature })).status).toBe(400);
    expect((await served.post('stripe-webhook', payload)).status).toBe(400);
    expect(served.backend.calls).toEqual([]);
  });

  it.each(['null', '[]', '{}', '{"id":"evt_1","type":"charge.refunded","data":{"object":null}}'])(
    'of %s, which is no event, is answered as such and does nothing',
    async (payload) => {
      const response = await deliver(payload);
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'INVALID_INPUT' }]);
      expect(served.backend.calls).toEqual([]);
    },
  );

  it('refuses a body over 256 KB', async () => {
    const response = await deliver(eventOf('x', { text: 'x'.repeat(257 * 1024) }));
    expect(response.status).toBe(413);
  });
});

describe('a payment', () => {
  it('C-20 made on the checkout page activates the subscription with its amount and payment', async () => {
    await pay();
    expect(callsOf('activate_subscription')).toEqual([
      {
        p_startup_id: STARTUP,
        p_plan_id: 'og_lifetime',
        p_event_id: expect.stringMatching(/^evt_/),
        p_payment_ref: expect.stringMatching(/^pi_/),
        p_amount_cents: 9_900,
        p_price_cents: 9_900,
        p_currency: 'usd',
      },
    ]);
  });

  it("C-20 of another amount than its page's is reported and logged, and not refunded automatically", async () => {
    served.backend.procedures.set('activate_subscription', () => ({ activated: false, reason: 'wrong_amount' }));
    const session = paidSession({
      payment_intent: 'pi_wrong',
      amount_total: 0,
      currency: 'eur',
      metadata: { startup_id: STARTUP, plan_id: 'og_lifetime', price_cents: '4900' },
    });
    const response = await deliver(eventOf('checkout.session.completed', session));
    expect(await response.json()).toEqual({ received: true, outcome: 'not_activated' });
    expect(callsOf('activate_subscription')).toMatchObject([
      { p_amount_cents: 0, p_price_cents: 4_900, p_currency: 'eur' },
    ]);
    expect(await refundsOf('pi_wrong')).toEqual([]);
    expect(served.log.join('\n')).toContain('"event":"payment_of_wrong_amount"');
  });

  it('C-20 delivered again has the same event id, which the database processes once', async () => {
    const payload = eventOf('checkout.session.completed', paidSession(), 'evt_again');
    await deliver(payload);
    await deliver(payload);
    expect(callsOf('activate_subscription').map((args) => args.p_event_id)).toEqual(['evt_again', 'evt_again']);
  });

  it.each([
    ['not paid yet', { payment_status: 'unpaid' }],
    ['for another product', { metadata: {} }],
    ['without a payment', { payment_intent: null }],
  ])('C-20 %s is acknowledged and activates nothing', async (_name, changes) => {
    const response = await deliver(eventOf('checkout.session.completed', paidSession(changes)));
    expect(await response.json()).toEqual({ received: true, outcome: 'ignored' });
    expect(served.backend.calls).toEqual([]);
  });

  it('C-20 is answered 503 while the database is down, and the emulator delivers it again', async () => {
    let attempts = 0;
    served.backend.procedures.set('activate_subscription', () => {
      attempts += 1;
      if (attempts === 1) throw new Error('down');
      return { activated: true, reason: null };
    });
    await pay();
    expect(attempts).toBe(1);
    await expect.poll(() => attempts).toBe(2);
    const [first, second] = callsOf('activate_subscription');
    expect(second).toEqual(first);
  });

  it('C-21 beyond the last slot is refunded once, however often it is delivered', async () => {
    served.backend.procedures.set('activate_subscription', () => ({ activated: false, reason: 'sold_out' }));
    await pay();
    const [activation] = callsOf('activate_subscription');
    const payment = activation?.p_payment_ref;
    const session = paidSession({ payment_intent: payment });
    const again = await deliver(eventOf('checkout.session.completed', session, String(activation?.p_event_id)));
    expect(await again.json()).toEqual({ received: true, outcome: 'refund_requested' });
    expect(await refundsOf(payment)).toHaveLength(1);
    await expect.poll(() => callsOf('end_payment')).toHaveLength(1);
  });

  it('C-21 that somebody has refunded by hand before needs no other refund', async () => {
    await pay();
    const [activation] = callsOf('activate_subscription');
    const payment = String(activation?.p_payment_ref);
    const body = new URLSearchParams({ payment_intent: payment });
    const headers = { authorization: 'Bearer sk_test_by_hand' };
    const byHand = await fetch(`${served.emulators.stripeUrl}/v1/refunds`, { method: 'POST', headers, body });
    expect(byHand.status).toBe(200);
    served.backend.procedures.set('activate_subscription', () => ({ activated: false, reason: 'sold_out' }));
    const delivery = await deliver(eventOf('checkout.session.completed', paidSession({ payment_intent: payment })));
    expect(await delivery.json()).toEqual({ received: true, outcome: 'refund_requested' });
    expect(await refundsOf(payment)).toHaveLength(1);
  });

  it('C-21 whose refund fails later is logged as an error, because somebody has to pay it out in another way', async () => {
    const delivery = await deliver(eventOf('refund.failed', { payment_intent: 'pi_closed_card' }));
    expect(await delivery.json()).toEqual({ received: true, outcome: 'refund_failed' });
    const [line] = served.log.filter((entry) => entry.includes('refund_failed'));
    expect(line).toContain('"level":"error"');
    expect(line).toContain('pi_closed_card');
    expect(served.backend.calls).toEqual([]);
  });
});

describe('a payment for points', () => {
  const metadata = { startup_id: STARTUP, pack_id: 'points_small', points: '1000', price_cents: '4900' };
  const packSession = (changes = {}) => paidSession({ amount_total: 4_900, metadata, ...changes });

  it('BEY-20 C-110 made on the checkout page credits the pack, and stores the link to the receipt', async () => {
    await pay(4_900, metadata);
    expect(callsOf('credit_point_purchase')).toEqual([
      {
        p_startup_id: STARTUP,
        p_pack_id: 'points_small',
        p_points: 1_000,
        p_event_id: expect.stringMatching(/^evt_/),
        p_payment_ref: expect.stringMatching(/^pi_/),
        p_amount_cents: 4_900,
        p_price_cents: 4_900,
        p_currency: 'usd',
      },
    ]);
    const payment = callsOf('credit_point_purchase')[0]?.p_payment_ref;
    expect(callsOf('record_payment_receipt')).toEqual([
      { p_payment_ref: payment, p_receipt_url: expect.stringMatching(/^http.*\/receipts\/ch_/) },
    ]);
    expect(callsOf('activate_subscription')).toEqual([]);
  });

  it('BEY-20 C-110 settled late credits with the later event only; a failed one credits nothing and releases its slot', async () => {
    const late = packSession({ payment_status: 'unpaid' });
    expect(await (await deliver(eventOf('checkout.session.completed', late))).json()).toMatchObject({
      outcome: 'ignored',
    });
    expect(await (await deliver(eventOf('checkout.session.async_payment_failed', late))).json()).toMatchObject({
      outcome: 'ignored',
    });
    expect(served.backend.calls).toEqual([]);
    const paid = eventOf('checkout.session.async_payment_succeeded', packSession());
    expect(await (await deliver(paid)).json()).toEqual({ received: true, outcome: 'credited' });
    expect(callsOf('credit_point_purchase')).toHaveLength(1);
    const plan = paidSession({ payment_status: 'unpaid', metadata: { hold_id: HOLD } });
    const failed = await deliver(eventOf('checkout.session.async_payment_failed', plan));
    expect(await failed.json()).toEqual({ received: true, outcome: 'released' });
  });

  it('C-110 is compared with its price without the added tax', async () => {
    const taxed = packSession({ amount_total: 5_831, total_details: { amount_tax: 931 } });
    await deliver(eventOf('checkout.session.completed', taxed));
    expect(callsOf('credit_point_purchase')).toMatchObject([{ p_amount_cents: 4_900 }]);
  });

  it('BEY-20 that bought nothing is refunded once; one of a wrong amount is left to a person', async () => {
    served.backend.procedures.set('credit_point_purchase', () => ({ credited: false, reason: 'startup_not_found' }));
    await pay(4_900, metadata);
    const payment = callsOf('credit_point_purchase')[0]?.p_payment_ref;
    await deliver(eventOf('checkout.session.completed', packSession({ payment_intent: payment })));
    expect(await refundsOf(payment)).toHaveLength(1);
    served.backend.procedures.set('credit_point_purchase', () => ({ credited: false, reason: 'wrong_amount' }));
    const wrong = await deliver(
      eventOf('checkout.session.completed', packSession({ payment_intent: 'pi_wrong_pack' })),
    );
    expect(await wrong.json()).toEqual({ received: true, outcome: 'not_credited' });
    expect(await refundsOf('pi_wrong_pack')).toEqual([]);
  });

  it('for a project of another installation with the same account is left to that one', async () => {
    served.backend.procedures.set('credit_point_purchase', () => ({ credited: false, reason: 'startup_not_found' }));
    await pay(4_900, { ...metadata, installation: 'other.supabase.co' });
    const payment = callsOf('credit_point_purchase')[0]?.p_payment_ref;
    expect(await refundsOf(payment)).toEqual([]);
    await pay(4_900, { ...metadata, installation: new URL(served.backend.url).host });
    expect(await refundsOf(callsOf('credit_point_purchase')[1]?.p_payment_ref)).toHaveLength(1);
  });

  it('C-110 is valid even if the receipt cannot be stored', async () => {
    served.backend.procedures.set('record_payment_receipt', () => {
      throw new Error('down');
    });
    await pay(4_900, metadata);
    expect(callsOf('credit_point_purchase')).toHaveLength(1);
    expect(served.log.join('\n')).toContain('"event":"receipt_not_recorded"');
  });
});

it('logs the event and its outcome, and no personal data', async () => {
  const customer_details = { email: 'buyer@mail.test', name: 'Robin Buyer' };
  const before = served.log.length;
  await deliver(eventOf('checkout.session.completed', paidSession({ customer_details }), 'evt_logged'));
  // Only the ids of this event: the provider's random ids for others may have the same prefix.
  const text = served.log.slice(before).join('\n');
  expect(text).toContain('"eventId":"evt_logged","type":"checkout.session.completed","outcome":"activated"');
  expect(text).not.toMatch(/mail\.test|Robin|pi_1/);
});

describe('an expired checkout page', () => {
  it('C-21 releases the slot held for it', async () => {
    const session = paidSession({ payment_status: 'unpaid', payment_intent: null, metadata: { hold_id: HOLD } });
    const response = await deliver(eventOf('checkout.session.expired', session));
    expect(await response.json()).toEqual({ received: true, outcome: 'released' });
    expect(served.backend.calls).toEqual([{ name: 'release_checkout_slot', args: { p_hold_id: HOLD } }]);
  });

  it('C-21 for another product in the account is ignored', async () => {
    const response = await deliver(eventOf('checkout.session.expired', paidSession({ metadata: {} })));
    expect(await response.json()).toEqual({ received: true, outcome: 'ignored' });
    expect(served.backend.calls).toEqual([]);
  });
});

describe('the end of a subscription', () => {
  it.each([
    ['charge.refunded', { payment_intent: 'pi_1', refunded: true }, { p_status: 'refunded' }],
    ['charge.dispute.created', dispute('needs_response'), { p_status: 'disputed', p_dispute_ref: 'dp_1' }],
    ['charge.dispute.closed', dispute('lost'), { p_status: 'disputed', p_dispute_ref: 'dp_1' }],
  ])('C-20 %s ends it', async (type, object, args) => {
    const response = await deliver(eventOf(type, object, 'evt_end'));
    expect(await response.json()).toEqual({ received: true, outcome: 'ended' });
    expect(callsOf('end_payment')).toEqual([{ p_payment_ref: 'pi_1', p_event_id: 'evt_end', ...args }]);
    expect(callsOf('reinstate_payment')).toEqual([]);
  });

  it.each(['won', 'warning_closed'])('C-20 is reverted when the dispute is %s', async (status) => {
    const response = await deliver(eventOf('charge.dispute.closed', dispute(status), 'evt_won'));
    expect(await response.json()).toEqual({ received: true, outcome: 'reinstated' });
    expect(callsOf('reinstate_payment')).toEqual([
      { p_payment_ref: 'pi_1', p_event_id: 'evt_won', p_dispute_ref: 'dp_1' },
    ]);
    expect(callsOf('end_payment')).toEqual([]);
  });

  it('C-21 is final when the slot is gone by then: the payment is refunded, once', async () => {
    await pay();
    const payment = callsOf('activate_subscription')[0]?.p_payment_ref;
    served.backend.procedures.set('reinstate_payment', () => ({ reinstated: false, reason: 'sold_out' }));
    const payload = eventOf('charge.dispute.closed', { ...dispute('won'), payment_intent: payment });
    for (const delivery of [await deliver(payload), await deliver(payload)]) {
      expect(await delivery.json()).toEqual({ received: true, outcome: 'refund_requested' });
    }
    expect(await refundsOf(payment)).toHaveLength(1);
  });

  it('C-20 is not caused by a partial refund or an unrelated event', async () => {
    await deliver(eventOf('charge.refunded', { payment_intent: 'pi_1', refunded: false }));
    await deliver(eventOf('customer.created', {}));
    expect(served.backend.calls).toEqual([]);
  });
});

it('acts on exactly the events that docs/deploy.md selects for the endpoint', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/deploy.md'), 'utf8');
  const named = [...page.matchAll(/`((?:checkout|charge|refund)\.[a-z_.]+)`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(expectedEvents());
});

describe('C-20 an event of the other Stripe mode', () => {
  const withMode = (livemode: boolean) =>
    JSON.stringify({ ...JSON.parse(eventOf('checkout.session.completed', paidSession())), livemode });

  it('buys nothing with a test key', async () => {
    expect(await (await deliver(withMode(true))).json()).toEqual({ received: true, outcome: 'ignored' });
    expect(served.backend.calls).toEqual([]);
    expect(await (await deliver(withMode(false))).json()).toEqual({ received: true, outcome: 'activated' });
  });

  it('buys nothing with a live key', async () => {
    const live = await serveFunctions({ STRIPE_SECRET_KEY: 'rk_live_functions' });
    try {
      live.backend.procedures.set('activate_subscription', () => ({ activated: false, reason: 'payment_ended' }));
      const outcomeOf = async (payload: string) => {
        const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
        const response = await live.post('stripe-webhook', payload, { 'stripe-signature': signature });
        return ((await response.json()) as { outcome: string }).outcome;
      };
      expect(await outcomeOf(withMode(false))).toBe('ignored');
      expect(live.backend.calls).toEqual([]);
      expect(await outcomeOf(withMode(true))).toBe('not_activated');
      expect(live.log.join()).toContain('stripe_event_of_other_mode');
    } finally {
      await live.close();
    }
  });
});
