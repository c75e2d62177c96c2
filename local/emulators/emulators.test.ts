import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendMail } from './mail.ts';
import { type Emulators, startEmulators } from './start-emulators.ts';

const SECRET = 'whsec_emulators_test';

let emulators: Emulators;
let stripe: Stripe;
const events: Stripe.Event[] = [];
let receiverStatus = 200;

const receiver = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const signature = String(request.headers['stripe-signature']);
  events.push(stripe.webhooks.constructEvent(body, signature, SECRET));
  response.writeHead(receiverStatus).end();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  emulators = await startEmulators({
    stripePort: 0,
    resendPort: 0,
    webhookUrl: `http://127.0.0.1:${port}`,
    webhookSecret: SECRET,
  });
  const { hostname: host, port: stripePort } = new URL(emulators.stripeUrl);
  stripe = new Stripe('sk_test', { protocol: 'http', host, port: stripePort });
});
afterAll(async () => {
  await emulators.close();
  receiver.closeAllConnections();
  receiver.close();
});

const createSession = (idempotencyKey?: string, unit_amount = 500) =>
  stripe.checkout.sessions.create(
    {
      mode: 'payment',
      success_url: 'http://app.test/paid',
      client_reference_id: 'startup-1',
      metadata: { startup_id: 'startup-1' },
      line_items: [{ quantity: 2, price_data: { currency: 'usd', unit_amount, product_data: { name: 'Plan' } } }],
    },
    idempotencyKey ? { idempotencyKey } : {},
  );

const complete = (session: Stripe.Checkout.Session) =>
  fetch(`${session.url}/complete`, { method: 'POST', redirect: 'manual' });

describe('Stripe', () => {
  it('shows the price on its payment page', async () => {
    const { url } = await createSession();
    expect(await (await fetch(url ?? '')).text()).toContain('Pay $10.00');
  });

  it('returns the same session for the same idempotency key, which it refuses for another request', async () => {
    const [first, second] = await Promise.all([createSession('key-1'), createSession('key-1')]);
    expect(second.id).toBe(first.id);
    expect((await createSession('key-2')).id).not.toBe(first.id);
    await expect(createSession('key-1', 600)).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeIdempotencyError',
    });
  });

  it('charges no less than 50 cents', async () => {
    await expect(createSession(undefined, 24)).rejects.toMatchObject({ code: 'amount_too_small' });
    expect((await createSession(undefined, 25)).amount_total).toBe(50);
  });

  it('sends a signed event with payment, amount and metadata, refunds it once, and reports the refund', async () => {
    await complete(await createSession());
    const paid = events.at(-1);
    if (paid?.type !== 'checkout.session.completed') throw new Error('no event');
    const session = paid.data.object;
    expect(session).toMatchObject({ amount_total: 1_000, currency: 'usd', payment_status: 'paid' });
    expect(session).toMatchObject({ client_reference_id: 'startup-1', metadata: { startup_id: 'startup-1' } });

    const payment_intent = String(session.payment_intent);
    await stripe.refunds.create({ payment_intent });
    await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: 'charge_already_refunded' });
    await expect.poll(() => events.at(-1)).toMatchObject({ type: 'charge.refunded' });
    expect(events.at(-1)?.data.object).toMatchObject({ payment_intent, refunded: true, amount_refunded: 1_000 });
  });

  it('declines a card on request: the event says so, and the session can still be paid', async () => {
    const session = await createSession();
    const declined = await fetch(`${session.url}/decline`, { method: 'POST' });
    expect(await declined.text()).toMatch(/Your card was declined[\s\S]*Pay with a declined card/);
    expect(events.at(-1)).toMatchObject({
      type: 'payment_intent.payment_failed',
      data: { object: { amount: 1_000, last_payment_error: { code: 'card_declined' } } },
    });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'unpaid' });
    await complete(session);
    expect(events.at(-1)).toMatchObject({ type: 'checkout.session.completed', data: { object: { id: session.id } } });
  });

  it('refuses a refund without a payment', async () => {
    await expect(stripe.refunds.create({ payment_intent: 'pi_none' })).rejects.toMatchObject({ statusCode: 404 });
  });

  it('redelivers the same event after a failure', async () => {
    receiverStatus = 503;
    await complete(await createSession());
    const failed = events.at(-1);
    receiverStatus = 200;
    const count = events.length;
    await expect.poll(() => events).toHaveLength(count + 1);
    expect(events.at(-1)).toEqual(failed);
  });
});

describe('Resend', () => {
  it('shows a mail in the inbox', async () => {
    await sendMail(emulators.mailUrl, { to: 'robin@mail.test', subject: 'Your code is 424242', text: '424242' });
    expect(await (await fetch(emulators.inboxUrl)).text()).toContain('Your code is 424242');
  });
});
