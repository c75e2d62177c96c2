import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../_testing/backend.ts';
import { silent, startProvider } from '../_testing/provider.ts';
import { type Served, SHORT_DEADLINE, SITE_URL, serveFunctions } from '../_testing/served-functions.ts';

const CHECKOUT = 'create-checkout-session';
const OWNER = 'user_owner';
const HOLD = '0b8e4a52-9a5d-4a0e-8a37-1d5ce0a0c5f4';
const STARTUP = 'd7c5a3c4-6c3c-4f5e-9d7a-0a4c9f6f2b11';

let served: Served;

beforeAll(async () => {
  served = await serveFunctions();
});
afterAll(() => served.close());
beforeEach(() => script(served));

function script({ backend: { procedures, calls } }: Served): void {
  calls.length = 0;
  procedures.clear();
  procedures.set('take_rate_limit', () => true);
  procedures.set('get_user_email_by_clerk_id', () => 'owner@mail.test');
  procedures.set('reserve_checkout_slot', ({ p_user_id, p_startup_id }) => {
    if (p_user_id !== OWNER || p_startup_id !== STARTUP) throw new Refusal('FORBIDDEN', 'Forbidden', 403);
    return { price_cents: 9_900, plan_id: 'og_lifetime', startup_name: 'Lumen & Co', hold_id: HOLD };
  });
  procedures.set('release_checkout_slot', () => true);
  procedures.set('get_pack_terms', ({ p_user_id, p_startup_id, p_pack_id, p_expected_cents }) => {
    if (p_user_id !== OWNER || p_startup_id !== STARTUP) throw new Refusal('FORBIDDEN', 'Forbidden', 403);
    if (p_pack_id !== 'points_small') throw new Refusal('INVALID_PACK', 'This pack is not sold', 400);
    if (p_expected_cents && p_expected_cents !== 4_900) throw new Refusal('PRICE_CHANGED', 'It is now $49.', 409);
    return { price_cents: 4_900, pack_id: 'points_small', points: 1_000, startup_name: 'Lumen & Co' };
  });
}

const order = (changes = {}) => ({
  priceId: 'og_lifetime',
  planId: 'og_lifetime',
  startupId: STARTUP,
  successUrl: `${SITE_URL}/startup?success=subscription`,
  cancelUrl: '/startup/subscribe?plan=og_lifetime',
  ...changes,
});

async function checkout(body: unknown, user = OWNER, on = served): Promise<Response> {
  return on.post(CHECKOUT, body, { authorization: `Bearer ${await on.backend.token(user)}` });
}

describe('create-checkout-session', () => {
  it('SUBS-05 C-19 returns the address of a checkout page with the price from the settings', async () => {
    const response = await checkout({ ...order(), price_cents: 1 });
    expect(response.status).toBe(200);
    const { url } = await response.json();
    const page = await (await fetch(url)).text();
    expect(page).toContain('OG Lifetime Access');
    expect(page).toContain('Pay $99.00');
    expect(page).toContain(`${SITE_URL}/startup/subscribe?plan=og_lifetime`);
  });

  it('C-19 answers 401 to a bare user id and to an expired token', async () => {
    const expired = await served.backend.token(OWNER, { exp: Math.floor(Date.now() / 1000) - 60 });
    for (const bearer of [OWNER, expired]) {
      const response = await served.post('create-checkout-session', order(), { authorization: `Bearer ${bearer}` });
      expect(response.status).toBe(401);
    }
    expect(served.backend.calls).toEqual([]);
  });

  it("C-19 SEC-13 refuses another owner's startup, asking the database with the token's id", async () => {
    const response = await checkout(order(), 'user_stranger');
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'FORBIDDEN', message: 'Forbidden' });
    expect(served.backend.calls.at(-1)?.args).toMatchObject({ p_user_id: 'user_stranger', p_startup_id: STARTUP });
  });

  it('C-21 passes on that the plan is sold out', async () => {
    served.backend.procedures.set('reserve_checkout_slot', () => {
      throw new Refusal('SOLD_OUT', 'Sold Out', 409);
    });
    const response = await checkout(order());
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: 'SOLD_OUT', message: 'Sold Out' });
  });

  it('TRUST-20 passes on the shown price, and the refusal when it has changed', async () => {
    served.backend.procedures.set('reserve_checkout_slot', ({ p_expected_cents }) => {
      if (p_expected_cents !== 9_900) throw new Refusal('PRICE_CHANGED', 'It is now $99.', 409);
      return { price_cents: 9_900, plan_id: 'og_lifetime', startup_name: 'Lumen & Co', hold_id: HOLD };
    });
    const changed = await checkout(order({ expectedCents: 4_900 }));
    expect(changed.status).toBe(409);
    expect(await changed.json()).toMatchObject({ code: 'PRICE_CHANGED', message: 'It is now $99.' });
    expect((await checkout(order({ expectedCents: 9_900 }))).status).toBe(200);
  });

  it('BEY-20 TRUST-20 returns the address of a page for a point pack, with the price from the settings', async () => {
    const pack = { priceId: 'points_small', planId: 'points_small' };
    const response = await checkout({ ...order(pack), points: 9_999, price_cents: 1 });
    expect(response.status).toBe(200);
    const page = await (await fetch((await response.json()).url)).text();
    expect(page).toContain('1,000 points');
    expect(page).toContain('Pay $49.00');
    const changed = await checkout(order({ ...pack, expectedCents: 100 }));
    expect(await changed.json()).toMatchObject({ code: 'PRICE_CHANGED' });
    expect((await checkout(order({ ...pack, expectedCents: 4_900 }))).status).toBe(200);
    expect((await checkout(order(pack), 'user_stranger')).status).toBe(403);
    const huge = { priceId: 'points_huge', planId: 'points_huge' };
    expect(await (await checkout(order(huge))).json()).toMatchObject({ code: 'INVALID_PACK' });
    // No slot is held for points.
    expect(served.backend.calls.map(({ name }) => name)).not.toContain('reserve_checkout_slot');
  });

  it('C-103 opens a page even if no slot could be held for it', async () => {
    served.backend.procedures.set('reserve_checkout_slot', () => ({
      price_cents: 9_900,
      plan_id: 'og_lifetime',
      startup_name: 'Lumen & Co',
      hold_id: null,
    }));
    expect((await checkout(order())).status).toBe(200);
  });

  it.each([
    'https://evil.test/',
    '//evil.test/x',
    'javascript:alert(1)',
    'http://site.functions.test@evil.test/',
    'http://',
    'blob:http://site.functions.test/x',
    '/\\evil.test/x',
    '/\t/evil.test/x',
  ])('C-19 refuses the return address %s', async (address) => {
    for (const field of ['successUrl', 'cancelUrl']) {
      const response = await checkout(order({ [field]: address }));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'FOREIGN_URL' });
    }
  });

  it.each([
    { priceId: 'price_1' },
    { planId: 'free' },
    { planId: 'points_small' },
    { startupId: '1' },
    { successUrl: undefined },
    // More than the database's integers hold.
    { expectedCents: 3_000_000_000 },
  ])('C-19 refuses the fields %j', async (changes) => {
    expect(await (await checkout(order(changes))).json()).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('refuses another site, a body over 16 KB and too many calls', async () => {
    const authorization = `Bearer ${await served.backend.token(OWNER)}`;
    const foreign = { authorization, origin: 'https://evil.test' };
    expect((await served.post('create-checkout-session', order(), foreign)).status).toBe(403);
    expect((await checkout(order({ note: 'x'.repeat(17 * 1024) }))).status).toBe(413);
    served.backend.procedures.set('take_rate_limit', () => false);
    expect((await checkout(order())).status).toBe(429);
  });

  const busy = { code: 'DATABASE_UNAVAILABLE', message: 'The service is busy. Please try again.' };

  it('answers 503 when the database is down or lacks the procedure, without its message', async () => {
    served.backend.procedures.set('reserve_checkout_slot', () => {
      throw new Error('down');
    });
    const down = await (await checkout(order())).json();
    served.backend.procedures.delete('reserve_checkout_slot');
    const lacking = await (await checkout(order())).json();
    for (const body of [down, lacking]) expect(body).toMatchObject(busy);
  });

  it('answers 503 when the database does not respond in time', async () => {
    const other = await serveFunctions(SHORT_DEADLINE);
    try {
      script(other);
      other.backend.procedures.set('reserve_checkout_slot', silent);
      expect(await (await checkout(order(), OWNER, other)).json()).toMatchObject(busy);
      expect(other.backend.calls.at(-1)?.name).toBe('reserve_checkout_slot');
    } finally {
      await other.close();
    }
  });
});

it('logs no personal data', async () => {
  await checkout(order());
  await checkout(order(), 'user_stranger');
  const text = served.log.join('\n');
  expect(text).toContain('"function":"create-checkout-session"');
  expect(text).not.toMatch(/mail\.test|user_|eyJ|Lumen/);
});

describe('the documents of a checkout', () => {
  const askedFor = async (environment: Record<string, string>, body: unknown) => {
    const asked: URLSearchParams[] = [];
    const provider = await startProvider(async (_attempt, request) => {
      asked.push(new URLSearchParams(await request.text()));
      return Response.json({ id: 'cs_1', object: 'checkout.session', url: 'https://checkout.stripe.com/c/1' });
    });
    const other = await serveFunctions({ STRIPE_API_URL: provider.url, ...environment });
    try {
      script(other);
      expect((await checkout(body, OWNER, other)).status).toBe(200);
      return Object.fromEntries(asked[0] ?? []);
    } finally {
      await Promise.all([other.close(), provider.close()]);
    }
  };

  it('C-110 are an invoice, a link to the terms and a tax id, for the plan and for points', async () => {
    for (const product of ['og_lifetime', 'points_small']) {
      const form = await askedFor({}, order({ priceId: product, planId: product }));
      expect(form).toMatchObject({
        'invoice_creation[enabled]': 'true',
        'tax_id_collection[enabled]': 'true',
        'line_items[0][price_data][tax_behavior]': 'exclusive',
        'custom_text[submit][message]': `By paying you accept our [terms of use](${SITE_URL}/terms).`,
      });
      expect(form['automatic_tax[enabled]']).toBeUndefined();
    }
  });

  it('C-110 BEY-20 calculate tax when that is configured, and contain the purchase for the webhook', async () => {
    const form = await askedFor(
      { STRIPE_AUTOMATIC_TAX: 'true' },
      order({ priceId: 'points_small', planId: 'points_small' }),
    );
    expect(form).toMatchObject({
      'automatic_tax[enabled]': 'true',
      'metadata[startup_id]': STARTUP,
      'metadata[pack_id]': 'points_small',
      'metadata[points]': '1000',
      'metadata[price_cents]': '4900',
      'metadata[installation]': expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    });
  });
});

describe('the payment provider', () => {
  it.each([
    ['down', () => Response.json({ error: { type: 'api_error' } }, { status: 500 })],
    ['slow', silent],
  ])('%s: answers 502 after one retry', async (_state, answer) => {
    const provider = await startProvider(answer);
    const troubled = await serveFunctions({ STRIPE_API_URL: provider.url, ...SHORT_DEADLINE });
    try {
      script(troubled);
      const response = await checkout(order(), OWNER, troubled);
      expect(response.status).toBe(502);
      expect(await response.json()).toMatchObject({ ok: false, code: 'PAYMENT_PROVIDER_FAILED' });
      expect(provider.requests()).toBe(2);
      // The slot is free again for others.
      expect(troubled.backend.calls.at(-1)).toEqual({ name: 'release_checkout_slot', args: { p_hold_id: HOLD } });
    } finally {
      await Promise.all([troubled.close(), provider.close()]);
    }
  });
});
