import { randomBytes } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { proxy } from 'hono/proxy';
import type { WebhookSender } from './stripe-webhooks.ts';

/** Receives the emulator's own, incomplete events before they are completed and sent on. */
export const RELAY_PATH = '/_relay';

/** Events that the product's webhook endpoint subscribes to and the emulator itself produces. */
export const RELAYED_EVENTS = ['checkout.session.completed', 'checkout.session.expired'];

/** What Stripe charges at least, in US cents. */
const LEAST_CENTS = 50;
const REUSED_KEY =
  'Keys for idempotent requests can only be used with the same parameters they were first used with. Try using another key.';

interface SessionFacts {
  amount_total: number;
  currency: string;
  client_reference_id: string | null;
}

interface StripeObject {
  id: string;
  [field: string]: unknown;
}

/**
 * What `emulate` leaves out of Stripe and the product needs, in front of it: inline prices (`price_data`),
 * idempotency keys, refunds, cards that are declined, and the amount and payment of a completed session in its event.
 * Everything else is passed on.
 *
 * @param emulatorUrl called on the first request, because the emulator starts after this app listens.
 */
export function createStripeGaps(emulatorUrl: () => string, webhooks: WebhookSender): Hono {
  const sessions = new Map<string, SessionFacts>();
  const refunds = new Map<string, StripeObject>();
  const replies = new Map<string, { body: string; response: Promise<Response> }>();
  const app = new Hono();

  async function call(method: 'GET' | 'POST', path: string, form?: Record<string, string> | URLSearchParams) {
    const body = form && new URLSearchParams(form);
    const response = await fetch(`${emulatorUrl()}${path}`, { method, ...(body ? { body } : {}) });
    return { status: response.status, body: (await response.json()) as StripeObject };
  }

  /** The same key gives the same response, and is refused for another request; Stripe keeps it for 24 hours. */
  async function once(context: Context, act: (form: URLSearchParams) => Promise<Response>): Promise<Response> {
    const body = await context.req.text();
    const key = context.req.header('idempotency-key');
    if (!key) return act(new URLSearchParams(body));
    const known = replies.get(key) ?? { body, response: act(new URLSearchParams(body)) };
    replies.set(key, known);
    if (known.body === body) return (await known.response).clone();
    return Response.json({ error: { type: 'idempotency_error', message: REUSED_KEY } }, { status: 400 });
  }

  async function createPrice(form: URLSearchParams, item: string): Promise<string> {
    const name = form.get(`${item}[price_data][product_data][name]`) ?? 'Item';
    const product = await call('POST', '/v1/products', { name });
    const price = await call('POST', '/v1/prices', {
      product: product.body.id,
      currency: form.get(`${item}[price_data][currency]`) ?? 'usd',
      unit_amount: form.get(`${item}[price_data][unit_amount]`) ?? '0',
    });
    return price.body.id;
  }

  app.post('/v1/checkout/sessions', (context) =>
    once(context, async (form) => {
      const facts = { amount_total: 0, currency: 'usd', client_reference_id: form.get('client_reference_id') };
      for (let index = 0; form.has(`line_items[${index}][quantity]`); index += 1) {
        const item = `line_items[${index}]`;
        if (!form.has(`${item}[price_data][currency]`)) continue;
        facts.amount_total +=
          Number(form.get(`${item}[price_data][unit_amount]`)) * Number(form.get(`${item}[quantity]`));
        facts.currency = form.get(`${item}[price_data][currency]`) ?? facts.currency;
        const price = await createPrice(form, item);
        for (const field of [...form.keys()]) if (field.startsWith(`${item}[price_data]`)) form.delete(field);
        form.set(`${item}[price]`, price);
      }
      if (facts.amount_total < LEAST_CENTS)
        return stripeError('amount_too_small', 'The total amount due must add up to at least $0.50 usd');
      const { status, body } = await call('POST', '/v1/checkout/sessions', form);
      if (status === 200) sessions.set(body.id, facts);
      const { origin } = new URL(context.req.url);
      return Response.json({ ...body, ...facts, url: `${origin}/checkout/${body.id}` }, { status });
    }),
  );

  app.post('/v1/refunds', (context) =>
    once(context, async (form) => {
      const paymentIntent = form.get('payment_intent') ?? '';
      const charges = await call('GET', `/v1/charges?payment_intent=${encodeURIComponent(paymentIntent)}`);
      const [charge] = charges.body.data as StripeObject[];
      if (!charge) return stripeError('resource_missing', `No such payment_intent: '${paymentIntent}'`, 404);
      if (refunds.has(paymentIntent))
        return stripeError('charge_already_refunded', 'Charge has already been refunded.');
      const refund = {
        id: newId('re'),
        object: 'refund',
        amount: charge.amount,
        charge: charge.id,
        metadata: metadataOf(form),
        payment_intent: paymentIntent,
        reason: form.get('reason'),
        status: 'succeeded',
      };
      refunds.set(paymentIntent, refund);
      void webhooks.send('charge.refunded', { ...charge, refunded: true, amount_refunded: charge.amount });
      return Response.json(refund);
    }),
  );

  /** The emulator's charges have no receipts. */
  app.get('/v1/charges', async (context) => {
    const { pathname, search, origin } = new URL(context.req.url);
    const { status, body } = await call('GET', `${pathname}${search}`);
    if (status !== 200) return Response.json(body, { status });
    const data = (body.data as StripeObject[]).map((charge) => ({
      ...charge,
      receipt_url: `${origin}/receipts/${charge.id}`,
    }));
    return context.json({ ...body, data });
  });

  app.get('/receipts/:id', (context) =>
    context.html(`<h1>Receipt</h1><p>Charge ${escapeId(context.req.param('id'))}</p>`),
  );

  app.get('/v1/refunds', (context) => {
    const paymentIntent = context.req.query('payment_intent');
    const data = [...refunds.values()].filter((refund) => !paymentIntent || refund.payment_intent === paymentIntent);
    return context.json({ object: 'list', url: '/v1/refunds', has_more: false, data });
  });

  app.post(RELAY_PATH, async (context) => {
    const event = await context.req.json<{ type: string; data: { object: StripeObject } }>();
    const session = { ...event.data.object, ...sessions.get(event.data.object.id) };
    const payment = event.type === 'checkout.session.completed' ? await pay(session) : null;
    await webhooks.send(event.type, { ...session, payment_intent: payment });
    return context.body(null, 204);
  });

  /** The emulator's checkout page marks a session as paid without a payment; this creates the payment. */
  async function pay(session: StripeObject & Partial<SessionFacts>): Promise<string> {
    const intent = await call('POST', '/v1/payment_intents', {
      amount: String(session.amount_total ?? 0),
      currency: session.currency ?? 'usd',
      payment_method: 'pm_card_visa',
    });
    await call('POST', `/v1/payment_intents/${intent.body.id}/confirm`, {});
    return intent.body.id;
  }

  /** The emulator's page, plus Stripe's message for a declined card: the session stays open for another try. */
  app.get('/checkout/:id', async (context) => {
    const { pathname } = new URL(context.req.url);
    const response = await fetch(`${emulatorUrl()}${pathname}`);
    const note = context.req.query('declined')
      ? '<p role="alert">Your card was declined. Nothing was charged.</p>'
      : '';
    const decline = `<form method="post" action="${pathname}/decline"><button type="submit">Pay with a declined card</button></form>`;
    const page = (await response.text()).replace('</form>', () => `</form>${note}${decline}`);
    return context.html(page, response.status as 200 | 404);
  });

  app.post('/checkout/:id/decline', async (context) => {
    const session = sessions.get(context.req.param('id'));
    await webhooks.send('payment_intent.payment_failed', {
      id: newId('pi'),
      object: 'payment_intent',
      amount: session?.amount_total ?? 0,
      currency: session?.currency ?? 'usd',
      status: 'requires_payment_method',
      last_payment_error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' },
    });
    return context.redirect(`/checkout/${encodeURIComponent(context.req.param('id'))}?declined=1`, 303);
  });

  app.all('*', (context) => {
    const { pathname, search } = new URL(context.req.url);
    return proxy(`${emulatorUrl()}${pathname}${search}`, { raw: context.req.raw, redirect: 'manual' });
  });

  return app;
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

const escapeId = (id: string) => id.replaceAll(/[^\w-]/g, '');

function stripeError(code: string, message: string, status = 400): Response {
  return Response.json({ error: { type: 'invalid_request_error', code, message } }, { status });
}

/** The `metadata[name]` fields of a form. */
function metadataOf(form: URLSearchParams): Record<string, string> {
  const fields = [...form].flatMap(([field, value]) => {
    const name = /^metadata\[(.+)\]$/.exec(field)?.[1];
    return name ? [[name, value] as const] : [];
  });
  return Object.fromEntries(fields);
}
