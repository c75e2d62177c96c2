import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import { whileDamaged } from './support/damage.ts';
import {
  type Member,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  refusal,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { runPeriodicJob } from './support/periodic-jobs.ts';
import { eventsOf } from './support/purchases.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { activate, end, reinstate, remainingSlots, statuses, takenSlots } from './support/subscriptions.ts';

setUpDatabase();

const hasBadge = async (owner: Owner) =>
  (await unwrap(owner.client.from('user_profiles').select('og_badge').single())).og_badge;

describe('a payment', () => {
  test('C-20 TRUST-28 for an account that was deleted meanwhile activates nothing: it is to be given back', async () => {
    const [owner, taken] = [await newOwner(), await takenSlots()];
    await unwrap(asService().rpc('anonymise_user', { p_user_id: owner.id }));
    const paid = activate(owner, `evt_${randomUUID()}`, `pi_${randomUUID()}`);
    expect(await unwrap(paid)).toEqual({ activated: false, reason: 'startup_not_found' });
    expect(await takenSlots()).toBe(taken);
  });

  test('C-20 C-103 for a project that was deleted meanwhile activates nothing, and its former owner is told', async () => {
    const owner = await newOwner();
    await unwrap(owner.client.rpc('delete_startup_profile', { p_startup_id: owner.startup.id }));
    const paid = activate(owner, `evt_${randomUUID()}`, `pi_${randomUUID()}`);
    expect(await unwrap(paid)).toEqual({ activated: false, reason: 'startup_not_found' });
    const { rows } = await sql().query(
      "select payload ->> 'reason' as reason from public.outbox_events where user_id = $1 and type = 'PaymentNotApplied'",
      [owner.id],
    );
    expect(rows).toEqual([{ reason: 'startup_not_found' }]);
  });

  test('C-20 for a plan that does not exist activates nothing: it is to be given back', async () => {
    const owner = await newOwner();
    const payment = {
      p_startup_id: owner.startup.id,
      p_event_id: `evt_${randomUUID()}`,
      p_payment_ref: `pi_${randomUUID()}`,
      p_amount_cents: 9900,
    };
    const paid = asService().rpc('activate_subscription', { ...payment, p_plan_id: 'og_yearly' });
    expect(await unwrap(paid)).toEqual({ activated: false, reason: 'unknown_plan' });
    expect(await statuses(owner)).toEqual([]);
  });

  test('C-20 of another amount or currency than its checkout page activates nothing, and its owner is told', async () => {
    const owner = await newOwner();
    const id = owner.startup.id;
    const payWith = async (event: string, changes: Record<string, unknown>) =>
      unwrap(
        asService().rpc('activate_subscription', {
          p_startup_id: id,
          p_plan_id: 'og_lifetime',
          p_event_id: `${event}-${id}`,
          p_payment_ref: `${event}-${id}`,
          p_amount_cents: 9900,
          ...changes,
        }),
      );
    const wrong = [
      { p_amount_cents: 0 },
      { p_amount_cents: 9899 },
      { p_amount_cents: 9901 },
      { p_currency: 'jpy' },
      { p_currency: 'USD' },
      { p_price_cents: 4900 },
      { p_amount_cents: 4900 },
    ];
    for (const [index, changes] of wrong.entries()) {
      const answer = await payWith(`wrong${index}`, changes);
      expect(answer, JSON.stringify(changes)).toEqual({ activated: false, reason: 'wrong_amount' });
    }
    for (const p_amount_cents of [-1, null]) {
      await expect(payWith('senseless', { p_amount_cents })).rejects.toThrow('INVALID_AMOUNT');
    }
    expect([await statuses(owner), await hasBadge(owner)]).toEqual([[], false]);
    const { rows } = await sql().query(
      "select distinct payload ->> 'reason' as reason from public.outbox_events where type = 'PaymentNotApplied' and user_id = $1",
      [owner.id],
    );
    expect(rows).toEqual([{ reason: 'wrong_amount' }]);
    // A page opened at another price is paid at that price.
    expect(await payWith('right', { p_amount_cents: 4900, p_price_cents: 4900 })).toEqual({
      activated: true,
      reason: null,
    });
  });

  test('C-20 C-58 DB-20 HEAD-09 activates once and gives the badge to its owner alone, who cannot set it; a refund takes both back, in either order', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const id = owner.startup.id;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => unwrap(activate(owner, `e1-${id}`, `p1-${id}`))),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual({ activated: true, reason: null });
    const recorded = "select 1 from public.audit_log where subject_id = $1 and action = 'payment.activate'";
    expect((await sql().query(recorded, [`p1-${id}`])).rowCount).toBe(1);
    expect(await unwrap(activate(owner, `again-${id}`, `p1-${id}`))).toEqual({ activated: true, reason: null });
    expect(await eventsOf(owner, 'PaymentNotApplied')).toEqual([]);
    expect(await unwrap(owner.client.from('subscriptions').select('plan_id, status'))).toEqual([
      { plan_id: 'og_lifetime', status: 'active' },
    ]);
    expect([await hasBadge(owner), await hasBadge(other)]).toEqual([true, false]);
    expect(await unwrap(activate(owner, `e2-${id}`, `p2-${id}`))).toMatchObject({
      activated: false,
      reason: 'already_subscribed',
    });
    expect(await unwrap(end(`e3-${id}`, `p1-${id}`))).toEqual({ ended: true });
    const forge = owner.client.from('user_profiles').update({ og_badge: true }).eq('user_id', owner.id);
    expect((await refusal(forge)).status).toBe(403);
    expect(await hasBadge(owner)).toBe(false);
    expect(await unwrap(activate(owner, `late-${id}`, `p1-${id}`))).toMatchObject({ reason: 'payment_ended' });
    // A refund reported before its payment: the payment is too late.
    await unwrap(end(`e4-${id}`, `p3-${id}`));
    expect(await unwrap(activate(owner, `e5-${id}`, `p3-${id}`))).toMatchObject({
      activated: false,
      reason: 'payment_ended',
    });
  });
});

describe('a plan counts only while it is active', () => {
  /** Whether the plan lifts the trial's limits, and how many slots are left, as the product reads them. */
  async function effects({ startup }: Owner) {
    const { rows } = await sql().query<{ trial: boolean }>('select private.is_on_trial($1) as trial', [startup.id]);
    return { isOnTrial: rows[0]?.trial, slots: await remainingSlots() };
  }

  test('SUBS-07 DB-20 C-21 an expired plan lifts no limit, takes no slot and may be bought again; one without an end, or with a future one, counts', () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newVerifiedOwner();
      const free = await effects(owner);
      expect(free.isOnTrial).toBe(true);
      await unwrap(activate(owner, `e-${owner.id}`, `p-${owner.id}`));
      const counts = { isOnTrial: false, slots: (free.slots ?? 0) - 1 };
      const setEnd = (end: string) =>
        sql().query(`update public.subscriptions set current_period_end = ${end} where owner_user_id = $1`, [owner.id]);
      const checkout = () =>
        asService().rpc('reserve_checkout_slot', {
          p_user_id: owner.id,
          p_startup_id: owner.startup.id,
          p_plan_id: 'og_lifetime',
        });
      expect(await effects(owner)).toEqual(counts);
      await setEnd("now() + interval '1 minute'");
      expect(await effects(owner)).toEqual(counts);
      expect(await refusal(checkout())).toMatchObject({ code: 'ALREADY_SUBSCRIBED' });

      // The trial allows one quest; the plan allows more.
      for (let i = 0; i < 3; i += 1) await newQuest(owner, { task: { reward_points: 1, max_completions: 1 } });
      await setEnd("now() - interval '1 second'");
      expect(await effects(owner)).toEqual(free);
      await expect(newQuest(owner, { task: { reward_points: 1, max_completions: 1 } })).rejects.toThrow(
        'TRIAL_QUEST_LIMIT',
      );
      expect((await checkout()).error).toBeNull();
      await unwrap(end(`end-${owner.id}`, `p-${owner.id}`));
    }));

  test('C-110 C-50 a plan that cannot be ended keeps no other running and refuses no other payment; it is reported and ended later', async () => {
    const [broken, sound, next] = [await newOwner(), await newOwner(), await newOwner()];
    for (const owner of [broken, sound]) await unwrap(activate(owner, `e-${owner.id}`, `p-${owner.id}`));
    await sql().query(
      "update public.subscriptions set current_period_end = now() - interval '1 second' where owner_user_id = any ($1)",
      [[broken.id, sound.id]],
    );
    const { rows } = await sql().query('select id from public.subscriptions where owner_user_id = $1', [broken.id]);
    const failed = async () =>
      (await sql().query("select last_error from private.failed_jobs where job = 'expire_subscriptions'")).rows;
    await whileDamaged('update on public.subscriptions', `new.owner_user_id = '${broken.id}'`, async () => {
      await runPeriodicJob('expire_subscriptions');
      expect([await statuses(broken), await statuses(sound)]).toEqual([['active'], ['expired']]);
      expect([await hasBadge(broken), await hasBadge(sound)]).toEqual([true, false]);
      expect(await failed()).toEqual([{ last_error: `P0001 plan ${rows[0].id}` }]);
      expect(await unwrap(activate(next, `e-${next.id}`, `p-${next.id}`))).toMatchObject({ activated: true });
    });
    await runPeriodicJob('expire_subscriptions');
    expect([await statuses(broken), await hasBadge(broken), await failed()]).toEqual([['expired'], false, []]);
  });

  test('SUBS-07 DB-20 no plan but og_lifetime can be stored, and another would lift no limit and take no slot', () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newVerifiedOwner();
      await unwrap(activate(owner, `e-${owner.id}`, `p-${owner.id}`));
      const other = "update public.subscriptions set plan_id = 'basic' where owner_user_id = $1";
      await expect(sql().query(other, [owner.id])).rejects.toThrow('subscriptions_plan_id_check');
      const connection = await sql().connect();
      const effects = async () =>
        (
          await connection.query(
            'select private.is_on_trial($1) as trial, private.has_active_subscription($1) as active, private.remaining_og_slots() as slots',
            [owner.startup.id],
          )
        ).rows[0];
      try {
        await connection.query('begin');
        const before = await effects();
        expect(before).toMatchObject({ trial: false, active: true });
        await connection.query('alter table public.subscriptions drop constraint subscriptions_plan_id_check');
        await connection.query(other, [owner.id]);
        expect(await effects()).toEqual({ trial: true, active: false, slots: before.slots + 1 });
      } finally {
        await connection.query('rollback');
        connection.release();
      }
    }));
});

/** The provider's events about one payment, one event each. */
const FACTS = {
  paid: (owner: Owner, event: string, payment: string) => activate(owner, event, payment),
  disputed: (_owner: Owner, event: string, payment: string) => end(event, payment, 'disputed', `d1-${payment}`),
  won: (_owner: Owner, event: string, payment: string) => reinstate(event, payment, `d1-${payment}`),
  lost: (_owner: Owner, event: string, payment: string) => end(event, payment, 'disputed', `d1-${payment}`),
  'disputed again': (_owner: Owner, event: string, payment: string) => end(event, payment, 'disputed', `d2-${payment}`),
  refunded: (_owner: Owner, event: string, payment: string) => end(event, payment),
};
type Fact = keyof typeof FACTS;

function ordersOf(facts: readonly Fact[]): Fact[][] {
  if (facts.length < 2) return [[...facts]];
  return facts.flatMap((fact) => ordersOf(facts.filter((other) => other !== fact)).map((rest) => [fact, ...rest]));
}

describe('dispute events in any order', () => {
  test.each<{ facts: Fact[]; left: string; badge: boolean }>([
    { facts: ['paid', 'disputed'], left: 'disputed', badge: false },
    { facts: ['paid', 'disputed', 'won'], left: 'active', badge: true },
    { facts: ['paid', 'disputed', 'lost'], left: 'disputed', badge: false },
    { facts: ['paid', 'disputed', 'won', 'disputed again'], left: 'disputed', badge: false },
  ])('C-20 $facts leaves the plan $left', async ({ facts, left, badge }) => {
    await Promise.all(
      ordersOf(facts).map(async (order) => {
        const owner = await newOwner();
        const payment = `pi_${randomUUID()}`;
        // Every event arrives twice, the second time after all the others.
        for (const fact of [...order, ...order]) await unwrap(FACTS[fact](owner, `${fact}-${payment}`, payment));
        expect(await statuses(owner), order.join()).toEqual([left]);
        expect(await hasBadge(owner), order.join()).toBe(badge);
      }),
    );
  });

  test('C-81 the plan of a deleted account returns to its person, who had another one that was refunded', async () => {
    const second = await newOwner();
    await unwrap(activate(second, 'evt_second', 'pi_second'));
    await unwrap(end('evt_second_end', 'pi_second'));
    await second.client.rpc('delete_startup_profile', { p_startup_id: second.startup.id }).throwOnError();
    const first = await newMember('first', { email: second.email.replace('@', '+1@') });
    const create = ({ client, name }: Member) =>
      unwrap(client.rpc('create_startup_profile', { p_name: `Plan of ${name}`, p_industry: 'SaaS' }));
    await unwrap(activate({ ...first, startup: await create(first) }, 'evt_first', 'pi_first'));
    await asService().rpc('anonymise_user', { p_user_id: first.id }).throwOnError();
    await create(second);
    expect((await statuses(second)).toSorted()).toEqual(['active', 'refunded']);
    expect(await hasBadge(second)).toBe(true);
  });

  test('C-20 the plan of an owner without a project waits for their next one, and goes to nobody else', async () => {
    const [owner, payment] = [await newOwner(), `pi_${randomUUID()}`];
    await unwrap(activate(owner, `evt_${randomUUID()}`, payment));
    await owner.client.rpc('delete_startup_profile', { p_startup_id: owner.startup.id }).throwOnError();
    const projectOfPlan = async () =>
      (await sql().query('select startup_id from public.subscriptions where payment_ref = $1', [payment])).rows[0]
        ?.startup_id;
    await newOwner();
    expect(await projectOfPlan()).toBeNull();
    const again = { p_name: `Plan of ${owner.name}`, p_industry: 'SaaS' };
    expect((await unwrap(owner.client.rpc('create_startup_profile', again))).id).toBe(await projectOfPlan());
  });

  test('C-20 a won dispute restores nothing of a refunded payment', async () => {
    for (const order of ordersOf(['paid', 'disputed', 'won', 'refunded'])) {
      const owner = await newOwner();
      const payment = `pi_${randomUUID()}`;
      for (const fact of order) await unwrap(FACTS[fact](owner, `${fact}-${payment}`, payment));
      expect(await statuses(owner), order.join()).not.toContain('active');
      expect(await statuses(owner), order.join()).not.toContain('disputed');
      expect(await hasBadge(owner), order.join()).toBe(false);
    }
  });

  test('C-20 the answer reports the outcome, and a redelivered event gets the same one', async () => {
    const owner = await newOwner();
    const payment = `pi_${randomUUID()}`;
    await unwrap(activate(owner, `paid-${payment}`, payment));
    expect(await unwrap(end(`opened-${payment}`, payment, 'disputed', 'd1'))).toEqual({ ended: true });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => unwrap(reinstate(`won-${payment}`, payment, 'd1'))),
    );
    expect(answers).toEqual(Array(5).fill({ reinstated: true, reason: null }));
    expect(await unwrap(reinstate(`other-${payment}`, payment, 'd1'))).toEqual({
      reinstated: false,
      reason: 'not_disputed',
    });
    const { rows } = await sql().query(
      'select type from public.outbox_events where user_id = $1 and type like $2 order by id',
      [owner.id, 'Subscription%'],
    );
    expect(rows.map(({ type }) => type)).toEqual([
      'SubscriptionActivated',
      'SubscriptionEnded',
      'SubscriptionReinstated',
    ]);
  });

  test('C-20 C-50 a lost dispute does not report the end of the plan again, a refund after it does', async () => {
    const owner = await newOwner();
    const payment = `pi_${randomUUID()}`;
    await unwrap(activate(owner, `paid-${payment}`, payment));
    const opened = () => end(`opened-${payment}`, payment, 'disputed', 'd1');
    const lost = () => end(`lost-${payment}`, payment, 'disputed', 'd1');
    for (const answer of await Promise.all([opened(), lost()])) expect(answer.data).toEqual({ ended: true });
    expect(await eventsOf(owner, 'SubscriptionEnded')).toMatchObject([{ payload: { status: 'disputed' } }]);
    await unwrap(end(`refunded-${payment}`, payment));
    expect(await eventsOf(owner, 'SubscriptionEnded')).toMatchObject([
      { payload: { status: 'disputed' } },
      { payload: { status: 'refunded' } },
    ]);
  });

  test('C-21 a won dispute does not sell a slot twice: if it is gone, the answer asks for a refund', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const payment = `pi_${randomUUID()}`;
    await unwrap(activate(owner, `paid-${payment}`, payment));
    await unwrap(end(`opened-${payment}`, payment, 'disputed', 'd1'));
    const taken = await takenSlots();
    await sql().query('delete from private.checkout_holds');
    await withSettings({ og_slots: taken + 1 }, async () => {
      expect(await unwrap(activate(other, `other-${payment}`, `other-${payment}`))).toMatchObject({ activated: true });
      expect(await unwrap(reinstate(`won-${payment}`, payment, 'd1'))).toEqual({
        reinstated: false,
        reason: 'sold_out',
      });
      expect(await remainingSlots()).toBe(0);
    });
    expect(await statuses(owner)).toEqual(['disputed']);
    const told =
      "select payload ->> 'amount_cents' as cents from public.outbox_events where user_id = $1 and type = $2";
    expect((await sql().query(told, [owner.id, 'PaymentNotApplied'])).rows).toEqual([{ cents: '9900' }]);
    expect(await unwrap(end(`given-back-${payment}`, payment))).toEqual({ ended: true });
    expect(await statuses(owner)).toEqual(['refunded']);
  });

  test('C-20 C-110 a dispute is won for an owner whose later plan has ended a moment ago', async () => {
    const owner = await newOwner();
    const payment = `pi_${randomUUID()}`;
    await unwrap(activate(owner, `paid-${payment}`, payment));
    await unwrap(end(`opened-${payment}`, payment, 'disputed', 'd1'));
    await unwrap(activate(owner, `anew-${payment}`, `anew-${payment}`));
    await sql().query('update public.subscriptions set current_period_end = now() where payment_ref = $1', [
      `anew-${payment}`,
    ]);
    expect(await unwrap(reinstate(`won-${payment}`, payment, 'd1'))).toEqual({ reinstated: true, reason: null });
    expect((await statuses(owner)).sort()).toEqual(['active', 'expired']);
    expect(await unwrap(end(`returned-${payment}`, `anew-${payment}`))).toEqual({ ended: true });
    expect((await statuses(owner)).sort()).toEqual(['active', 'refunded']);
  });

  test('C-20 a dispute won after the owner has paid again does not reinstate the older payment', async () => {
    const owner = await newOwner();
    const payment = `pi_${randomUUID()}`;
    await unwrap(activate(owner, `paid-${payment}`, payment));
    await unwrap(end(`opened-${payment}`, payment, 'disputed', 'd1'));
    await unwrap(activate(owner, `anew-${payment}`, `anew-${payment}`));
    expect(await unwrap(reinstate(`won-${payment}`, payment, 'd1'))).toEqual({
      reinstated: false,
      reason: 'already_subscribed',
    });
    expect((await statuses(owner)).sort()).toEqual(['active', 'disputed']);
    expect(await hasBadge(owner)).toBe(true);
  });

  test('C-20 a dispute needs an id, and a refund has none', async () => {
    for (const request of [end('e', 'p', 'disputed'), end('e', 'p', 'refunded', 'd1'), reinstate('e', 'p', ' ')]) {
      expect(await refusal(request)).toEqual({
        status: 400,
        code: 'INVALID_DISPUTE',
        message: 'A dispute needs its id, and nothing else has one',
      });
    }
  });
});
