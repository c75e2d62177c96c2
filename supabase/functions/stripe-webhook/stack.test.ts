import Stripe from 'stripe';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { STRIPE_WEBHOOK_SECRET } from '../../../local/constants.ts';
import { closeSql, sql, testEnv } from '../../../local/testing/clients.ts';
import { type SignedIn, signIn } from '../_testing/stack.ts';

interface Subscription {
  status: string;
  amount_cents: number;
  payment_ref: string;
}

const env = testEnv();
const { hostname: host, port } = new URL(env.STRIPE_URL);
const stripe = new Stripe('sk_test', { protocol: 'http', host, port });

afterEach(() => setSlots(100));
afterAll(closeSql);

const setSlots = (slots: number) => sql().query('update public.app_settings set og_slots = $1', [slots]);

async function createStartup(owner: SignedIn): Promise<string> {
  const response = await owner.post('/rest/v1/rpc/create_startup_profile', {
    p_name: `Startup of ${owner.id}`,
    p_industry: 'Other',
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`Could not create a startup: ${body.message}`);
  return body.id;
}

function checkout(person: SignedIn, startupId: string, product = 'og_lifetime'): Promise<Response> {
  return person.post('/api/stripe/create-checkout-session', {
    priceId: product,
    planId: product,
    startupId,
    successUrl: `${env.APP_URL}/startup?success=subscription`,
    cancelUrl: `${env.APP_URL}/startup/subscribe`,
  });
}

/** Presses the button of Stripe's payment page and returns where it redirects. */
async function pay(pageUrl: string): Promise<string | null> {
  const response = await fetch(`${pageUrl}/complete`, { method: 'POST', redirect: 'manual' });
  return response.headers.get('location');
}

async function subscriptionsOf(owner: SignedIn): Promise<Subscription[]> {
  const columns = 'status, amount_cents, payment_ref';
  const query = `select ${columns} from public.subscriptions where owner_user_id = $1`;
  return (await sql().query<Subscription>(query, [owner.id])).rows;
}

async function countActive(): Promise<number> {
  const query = "select count(*)::int as active from public.subscriptions where status = 'active'";
  const { rows } = await sql().query<{ active: number }>(query);
  return rows[0]?.active ?? 0;
}

const paidSession = (startupId: string, payment: string) => ({
  payment_status: 'paid',
  payment_intent: payment,
  amount_total: 9_900,
  metadata: { startup_id: startupId, plan_id: 'og_lifetime' },
});

const eventOf = (type: string, object: object) => ({ id: `evt_${crypto.randomUUID()}`, type, data: { object } });

function deliver(event: object): Promise<Response> {
  const payload = JSON.stringify({ object: 'event', ...event });
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: STRIPE_WEBHOOK_SECRET });
  return fetch(`${env.SUPABASE_URL}/functions/v1/stripe-webhook`, {
    method: 'POST',
    headers: { 'stripe-signature': signature },
    body: payload,
  });
}

it('SUBS-05 C-20 C-58 paying activates the subscription and gives the badge; a refund ends it', async () => {
  const owner = await signIn();
  const startupId = await createStartup(owner);
  const response = await checkout(owner, startupId);
  expect(response.status).toBe(200);
  expect(await pay((await response.json()).url)).toBe(`${env.APP_URL}/startup?success=subscription`);

  const [subscription] = await subscriptionsOf(owner);
  expect(subscription).toMatchObject({ status: 'active', amount_cents: 9_900 });
  const badge = 'select og_badge from public.user_profiles where user_id = $1';
  expect((await sql().query(badge, [owner.id])).rows).toEqual([{ og_badge: true }]);

  await stripe.refunds.create({ payment_intent: subscription?.payment_ref ?? '' });
  await expect.poll(() => subscriptionsOf(owner)).toMatchObject([{ status: 'refunded' }]);
});

it('SUBS-07 C-21 an expired plan takes no slot: the slot is sold again, and its owner may pay again', async () => {
  const [owner, next] = [await signIn(), await signIn()];
  const [startup, other] = [await createStartup(owner), await createStartup(next)];
  await sql().query('delete from private.checkout_holds');
  await setSlots((await countActive()) + 1);
  await pay((await (await checkout(owner, startup)).json()).url);
  expect(await (await checkout(owner, startup)).json()).toMatchObject({ code: 'ALREADY_SUBSCRIBED' });
  expect(await (await checkout(next, other)).json()).toMatchObject({ code: 'SOLD_OUT' });
  const setEnd = (end: string) =>
    sql().query(`update public.subscriptions set current_period_end = now() ${end} where owner_user_id = $1`, [
      owner.id,
    ]);
  await setEnd("+ interval '1 minute'");
  expect(await (await checkout(next, other)).json()).toMatchObject({ code: 'SOLD_OUT' });
  await setEnd("- interval '1 second'");
  expect((await checkout(owner, startup)).status).toBe(200);
  await sql().query('delete from private.checkout_holds');
  const page = await checkout(next, other);
  expect(page.status).toBe(200);
  await pay((await page.json()).url);
  expect(await subscriptionsOf(next)).toMatchObject([{ status: 'active' }]);
  await sql().query("update public.subscriptions set status = 'refunded' where owner_user_id = any ($1)", [
    [owner.id, next.id],
  ]);
});

it("C-19 SEC-13 refuses a checkout for another owner's startup", async () => {
  const [owner, stranger] = [await signIn(), await signIn()];
  const response = await checkout(stranger, await createStartup(owner));
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'FORBIDDEN' });
});

it('C-19 allows a person ten checkout pages in ten minutes, without affecting others', async () => {
  const [person, other] = [await signIn(), await signIn()];
  const ask = async (somebody: SignedIn) =>
    (await somebody.post('/api/stripe/create-checkout-session', { planId: 'free' })).status;
  const statuses: number[] = [];
  for (let call = 1; call <= 11; call += 1) statuses.push(await ask(person));
  expect(statuses).toEqual([...Array(10).fill(400), 429]);
  expect(await ask(other)).toBe(400);
});

it('C-20 activates nothing when the refund was reported before the payment', async () => {
  const owner = await signIn();
  const payment_intent = `pi_${crypto.randomUUID()}`;
  const refunded = { payment_intent, refunded: true };
  await deliver({ id: `evt_${crypto.randomUUID()}`, type: 'charge.refunded', data: { object: refunded } });
  const session = paidSession(await createStartup(owner), payment_intent);
  const late = { id: `evt_${crypto.randomUUID()}`, type: 'checkout.session.completed', data: { object: session } };
  expect(await (await deliver(late)).json()).toEqual({ received: true, outcome: 'not_activated' });
  expect(await subscriptionsOf(owner)).toEqual([]);
});

it('C-20 a dispute ends the subscription, and a won one restores it, however late or often it is reported', async () => {
  const owner = await signIn();
  const startupId = await createStartup(owner);
  await pay((await (await checkout(owner, startupId)).json()).url);
  const [subscription] = await subscriptionsOf(owner);
  const dispute = { id: `dp_${crypto.randomUUID()}`, payment_intent: subscription?.payment_ref };
  const opened = eventOf('charge.dispute.created', { ...dispute, status: 'needs_response' });
  const won = eventOf('charge.dispute.closed', { ...dispute, status: 'won' });
  await deliver(opened);
  expect(await subscriptionsOf(owner)).toMatchObject([{ status: 'disputed' }]);
  expect(await (await deliver(won)).json()).toEqual({ received: true, outcome: 'reinstated' });
  for (const event of [opened, won, opened]) expect((await deliver(event)).status).toBe(200);
  expect(await subscriptionsOf(owner)).toMatchObject([{ status: 'active' }]);
});

it('C-21 C-103 an expired checkout page releases its slot for the next buyer at once', async () => {
  const [first, second] = [await signIn(), await signIn()];
  const [startup, other] = [await createStartup(first), await createStartup(second)];
  await sql().query('delete from private.checkout_holds');
  await setSlots((await countActive()) + 1);
  const { url } = await (await checkout(first, startup)).json();
  const holders = async () =>
    (await sql().query<{ id: string }>('select owner_user_id as id from private.checkout_holds')).rows.map(
      ({ id }) => id,
    );
  expect((await checkout(second, other)).status).toBe(200);
  expect(await holders()).toEqual([first.id]);
  await stripe.checkout.sessions.expire(new URL(url).pathname.split('/').at(-1) ?? '');
  await expect.poll(holders).toEqual([]);
  expect((await checkout(second, other)).status).toBe(200);
  expect(await holders()).toEqual([second.id]);
});

it('C-20 refunds a second payment of the same owner', async () => {
  const owner = await signIn();
  const startupId = await createStartup(owner);
  const pages = await Promise.all([checkout(owner, startupId), checkout(owner, startupId)]);
  for (const page of pages) await pay((await page.json()).url);

  const subscriptions = await subscriptionsOf(owner);
  expect(subscriptions).toMatchObject([{ status: 'active' }]);
  const { data: refunds } = await stripe.refunds.list({ limit: 100 });
  expect(refunds.map((refund) => refund.payment_intent)).not.toContain(subscriptions[0]?.payment_ref);
  expect(refunds.filter((refund) => refund.metadata?.startup_id === startupId)).toMatchObject([
    { metadata: { reason: 'already_subscribed' } },
  ]);
});

it('C-20 processes an event once, however often it is delivered', async () => {
  const owner = await signIn();
  const startupId = await createStartup(owner);
  const session = paidSession(startupId, `pi_${crypto.randomUUID()}`);
  const event = { id: `evt_${crypto.randomUUID()}`, type: 'checkout.session.completed', data: { object: session } };
  const responses = await Promise.all([deliver(event), deliver(event), deliver(event)]);
  expect(responses.map((response) => response.status)).toEqual([200, 200, 200]);
  expect((await deliver(event)).status).toBe(200);
  expect(await subscriptionsOf(owner)).toHaveLength(1);
});

it('C-21 sells the last slot once to twenty concurrent buyers, and refunds the others', async () => {
  const buyers = await Promise.all(Array.from({ length: 20 }, () => signIn()));
  const startups = await Promise.all(buyers.map(createStartup));
  const before = await countActive();
  await sql().query('delete from private.checkout_holds');
  await setSlots(before + 1);

  const responses = await Promise.all(buyers.map((buyer, index) => checkout(buyer, startups[index] ?? '')));
  // Every page opens: a slot that is held for one buyer may still become free.
  const pages = await Promise.all(responses.map((response) => response.json()));
  await Promise.all(pages.map(({ url }) => pay(url)));

  const reasons = async () => {
    const { data: refunds } = await stripe.refunds.list({ limit: 100 });
    return refunds
      .filter((refund) => startups.includes(refund.metadata?.startup_id ?? ''))
      .map((refund) => refund.metadata?.reason);
  };
  // An event that a busy database has refused is delivered again, as Stripe does, when the page has long been answered.
  await expect.poll(reasons).toEqual(Array(19).fill('sold_out'));
  expect(await countActive()).toBe(before + 1);
  expect((await checkout(buyers[0] as SignedIn, startups[0] ?? '')).status).toBe(409);
});

describe('points', () => {
  const pointsOf = async (startupId: string) =>
    (await sql().query<{ points: string }>('select points from public.wallets where startup_id = $1', [startupId]))
      .rows[0]?.points;
  const purchasesOf = async (owner: SignedIn) => {
    const columns = 'status, points, credited_points, amount_cents, payment_ref, receipt_url';
    const query = `select ${columns} from public.point_purchases where owner_user_id = $1 order by created_at`;
    return (await sql().query<{ payment_ref: string; receipt_url: string }>(query, [owner.id])).rows;
  };

  it('BEY-20 C-110 paying credits the pack with its receipt; a refund takes it back', async () => {
    const owner = await signIn();
    const startupId = await createStartup(owner);
    await pay((await (await checkout(owner, startupId, 'points_small')).json()).url);
    const [purchase] = await purchasesOf(owner);
    expect(purchase).toMatchObject({ status: 'paid', points: 1_000, credited_points: 1_000, amount_cents: 4_900 });
    expect(await (await fetch(purchase?.receipt_url ?? '')).text()).toContain('Receipt');
    expect(await pointsOf(startupId)).toBe('1500');
    await stripe.refunds.create({ payment_intent: purchase?.payment_ref ?? '' });
    await expect.poll(() => purchasesOf(owner)).toMatchObject([{ status: 'refunded' }]);
    expect(await pointsOf(startupId)).toBe('500');
  });

  it('BEY-20 a declined card and an abandoned page buy nothing; the same page can still be paid, once', async () => {
    const owner = await signIn();
    const startupId = await createStartup(owner);
    const { url } = await (await checkout(owner, startupId, 'points_small')).json();
    await fetch(`${url}/decline`, { method: 'POST', redirect: 'manual' });
    expect([await pointsOf(startupId), await purchasesOf(owner)]).toEqual(['500', []]);
    await Promise.all([pay(url), pay(url)]);
    expect(await purchasesOf(owner)).toHaveLength(1);
    expect(await pointsOf(startupId)).toBe('1500');
  });

  it('BEY-20 credits a repeated event once, even under concurrent deliveries', async () => {
    const owner = await signIn();
    const startupId = await createStartup(owner);
    const session = {
      payment_status: 'paid',
      payment_intent: `pi_${crypto.randomUUID()}`,
      amount_total: 4_900,
      metadata: { startup_id: startupId, pack_id: 'points_small', points: '1000', price_cents: '4900' },
    };
    const event = eventOf('checkout.session.completed', session);
    const late = eventOf('checkout.session.async_payment_succeeded', session);
    const answers = await Promise.all([event, event, late, event, late].map(deliver));
    for (const answer of answers) expect(answer.status).toBe(200);
    expect(await pointsOf(startupId)).toBe('1500');
  });

  it("SEC-13 BEY-20 are not sold for another owner's startup", async () => {
    const [owner, stranger] = [await signIn(), await signIn()];
    const response = await checkout(stranger, await createStartup(owner), 'points_small');
    expect([response.status, (await response.json()).code]).toEqual([403, 'FORBIDDEN']);
  });
});
