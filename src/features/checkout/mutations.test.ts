// @vitest-environment jsdom
import { setTokenSource } from '@/lib/auth/token';
import { AppError, describeError } from '@/lib/errors';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import { checkoutErrors, useStartCheckout } from './mutations';

const route = 'POST /api/stripe/create-checkout-session';
const order = { productId: 'og_lifetime', projectId: 'p1', expectedCents: 9900 };
const start = (productId = order.productId) => runMutation(useStartCheckout, { ...order, productId });
const refusal = (status: number, body: unknown) => Response.json(body, { status });

beforeEach(() => setTokenSource(() => Promise.resolve('session-jwt')));
afterEach(() => setTokenSource(null));

describe('SUBS-05 a checkout', () => {
  it('C-19 C-20 TRUST-20 sends plan, project, the shown price and the return addresses, as the signed-in person', async () => {
    const api = fakeApi({ [route]: { url: 'https://pay.example/1' } });
    const { data } = await start();
    expect(data).toBe('https://pay.example/1');
    const { origin } = window.location;
    expect(api.calls.map(({ body }) => body)).toEqual([
      {
        priceId: 'og_lifetime',
        planId: 'og_lifetime',
        startupId: 'p1',
        expectedCents: 9900,
        successUrl: `${origin}/startup?success=subscription`,
        cancelUrl: `${origin}/startup/subscribe?plan=og_lifetime&cancelled=1`,
      },
    ]);
    const headers = new Headers(vi.mocked(fetch).mock.calls[0]?.[1]?.headers);
    expect(headers.get('authorization')).toBe('Bearer session-jwt');
    expect(headers.get('content-type')).toBe('application/json');
  });

  it('BEY-20 for a point pack returns to the billing page', async () => {
    const api = fakeApi({ [route]: { url: 'https://pay.example/1' } });
    await start('points_small');
    const billing = `${window.location.origin}/startup/billing`;
    expect(api.calls[0]?.body).toMatchObject({
      planId: 'points_small',
      successUrl: `${billing}?success=points`,
      cancelUrl: `${billing}?cancelled=1`,
    });
  });

  it('sends nothing without a session', async () => {
    setTokenSource(null);
    const api = fakeApi({});
    expect((await start()).error).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'User must be authenticated to create a subscription',
      status: 401,
    });
    expect(api.calls).toEqual([]);
  });

  it('SUBS-06 says why it was refused, without a doubled full stop', async () => {
    fakeApi({ [route]: refusal(409, { code: 'SOLD_OUT', message: 'Sold Out.' }) });
    expect((await start()).error).toMatchObject({
      code: 'SOLD_OUT',
      message: 'Failed to create checkout session: Sold Out',
      status: 409,
    });
  });

  it.each([
    ['a refusal that says nothing', refusal(404, { error: 'x' }), 'Failed to start subscription', 404],
    ['a failure that says nothing', refusal(502, { error: 'x' }), 'Stripe API error (502): No answer', 502],
    ['a failure without JSON', new Response('<h1>', { status: 503 }), 'Stripe API error (503): No answer', 503],
    [
      'an answer without an address',
      Response.json({ url: 'javascript:alert(1)' }),
      'Failed to start subscription',
      200,
    ],
    ['an answer without JSON', new Response('OK'), 'Failed to start subscription', 200],
  ])('SUBS-06 words %s', async (_, answer, message, status) => {
    fakeApi({ [route]: answer });
    expect((await start()).error).toMatchObject({ code: 'CHECKOUT_FAILED', message, status });
  });

  it.each([
    ['an answer', () => fakeApi({ [route]: offline() })],
    ['a network', () => setTokenSource(() => Promise.reject(new Error('Network request failed while offline.')))],
  ])('SUBS-06 without %s could not be started', async (_, lose) => {
    lose();
    expect((await start()).error).toMatchObject({
      code: 'NETWORK',
      message: 'Failed to start subscription',
      status: 0,
    });
  });
});

it('a payment for points that could not be started is not called a subscription', async () => {
  fakeApi({ [route]: offline() });
  expect((await start('points_small')).error).toMatchObject({ message: 'Failed to start the payment' });
});

it.each([
  [409, 'SOLD_OUT', 'Sold Out', 'Failed to create checkout session: Sold Out'],
  [502, 'PAYMENT_PROVIDER_FAILED', 'The provider failed', 'Stripe API error (502): The provider failed'],
  [500, 'CHECKOUT_FAILED', '', 'Stripe API error (500): No answer'],
  [404, 'CHECKOUT_FAILED', '', 'Failed to start subscription'],
])('SUBS-06 status %i is worded by its kind of failure', (status, code, message, sentence) => {
  expect(describeError(new AppError(code, message, status), checkoutErrors(status))).toBe(sentence);
});
