import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  newAdmin,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import {
  auditOf,
  creditPurchase,
  endPayment,
  eventsOf,
  freePoints,
  newBuyer,
  newPayment,
  purchasesOf,
} from './support/purchases.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const terms = (owner: Owner, changes: Record<string, unknown> = {}) =>
  asService().rpc('get_pack_terms', {
    p_user_id: owner.id,
    p_startup_id: owner.startup.id,
    p_pack_id: 'points_small',
    ...changes,
  });

describe('the terms of a pack', () => {
  test('BEY-20 TRUST-20 are those of the settings, and a changed price is refused with the new one', async () => {
    const owner = await newOwner();
    expect(await unwrap(terms(owner, { p_expected_cents: 4900 }))).toEqual({
      price_cents: 4900,
      pack_id: 'points_small',
      points: 1000,
      startup_name: owner.startup.name,
    });
    await withSettings({ pack_small_points: 1200, pack_small_cents: 5500 }, async () => {
      expect(await refusal(terms(owner, { p_expected_cents: 4900 }))).toEqual({
        status: 409,
        code: 'PRICE_CHANGED',
        message: 'This has changed since you looked: it is now $55.',
      });
      expect(await unwrap(terms(owner, { p_expected_cents: 5500 }))).toMatchObject({ price_cents: 5500, points: 1200 });
    });
    await withSettings({ pack_small_points: 30_000, pack_small_cents: 129_950 }, async () => {
      expect(await refusal(terms(owner, { p_expected_cents: 4900 }))).toMatchObject({
        message: 'This has changed since you looked: it is now $1,299.50.',
      });
    });
    await withSettings({ pack_small_points: 0 }, async () => {
      expect(await refusal(terms(owner))).toMatchObject({ code: 'INVALID_PACK' });
    });
    expect(await refusal(terms(owner, { p_pack_id: 'og_lifetime' }))).toMatchObject({ code: 'INVALID_PACK' });
    const larger = {
      pack_medium_points: 3100,
      pack_medium_cents: 12_100,
      pack_large_points: 7200,
      pack_large_cents: 26_200,
    };
    await withSettings(larger, async () => {
      const [medium, large] = [{ p_pack_id: 'points_medium' }, { p_pack_id: 'points_large' }];
      expect(await unwrap(terms(owner, medium))).toMatchObject({ points: 3100, price_cents: 12_100 });
      expect(await unwrap(terms(owner, large))).toMatchObject({ points: 7200, price_cents: 26_200 });
    });
  });

  test('BEY-20 TRUST-18 are available only to the owner of a verified project in good standing', async () => {
    const [owner, other, suspended] = await Promise.all([newOwner(), newOwner(), newOwner()]);
    const pending = await withSettings({ beta_mode: false }, () => newOwner());
    await suspend(suspended);
    await sql().query('update public.startup_profiles set suspended_at = now() where id = $1', [suspended.startup.id]);
    expect(await refusal(terms(owner, { p_startup_id: other.startup.id }))).toEqual(FORBIDDEN);
    expect(await refusal(terms(suspended))).toEqual(SUSPENDED);
    expect(await refusal(terms(pending))).toEqual({
      status: 403,
      code: 'BUYER_NOT_VERIFIED',
      message: 'Your project must be verified before it can buy points.',
    });
    expect(await refusal(terms(owner, { p_startup_id: randomUUID() }))).toMatchObject({ code: 'STARTUP_NOT_FOUND' });
  });

  test('TRUST-03 BEY-20 only the server credits, ends or reads payments', async () => {
    const { owner, payment } = await newBuyer();
    const other = await newOwner();
    const paid = newPayment();
    const args = {
      p_startup_id: owner.startup.id,
      p_pack_id: 'points_small',
      p_points: 1000,
      p_event_id: paid.event,
      p_payment_ref: paid.payment,
      p_amount_cents: 1,
      p_price_cents: 1,
    };
    const admin = await newAdmin();
    for (const client of [asAnon(), owner.client, other.client, admin.client]) {
      for (const call of [
        client.rpc('credit_point_purchase', args),
        client.rpc('end_payment', { p_payment_ref: payment, p_event_id: 'x', p_status: 'refunded' }),
        client.rpc('reinstate_payment', { p_payment_ref: payment, p_event_id: 'x', p_dispute_ref: 'y' }),
        client.rpc('record_payment_receipt', { p_payment_ref: payment, p_receipt_url: 'https://x.example' }),
        client.rpc('get_pack_terms', {
          p_user_id: owner.id,
          p_startup_id: owner.startup.id,
          p_pack_id: 'points_small',
        }),
      ]) {
        expect((await call).error?.code).toBe('42501');
      }
      const row = {
        owner_user_id: owner.id,
        pack_id: 'points_small',
        points: 1,
        amount_cents: 1,
        payment_ref: 'forged',
      };
      expect((await client.from('point_purchases').insert({ ...row, status: 'paid' })).error?.code).toBe('42501');
      expect(
        (await client.from('point_purchases').update({ credited_points: 0 }).eq('owner_user_id', owner.id)).error?.code,
      ).toBe('42501');
    }
    expect(await unwrap(other.client.from('point_purchases').select().eq('owner_user_id', owner.id))).toEqual([]);
    expect(await unwrap(other.client.rpc('list_own_payments', {}))).toEqual([]);
    expect(await freePoints(owner)).toBe(1500);
  });
});

describe('a payment for points', () => {
  test('BEY-20 TRUST-21 credits the pack once, however often and by however many events it is reported', async () => {
    const owner = await newOwner();
    const paid = newPayment();
    const answers = await Promise.all(Array.from({ length: 20 }, () => unwrap(creditPurchase(owner, paid))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ reason: null, credited: true })]),
    );
    // Another event of the same payment: a redelivery under a new id, or a late asynchronous one.
    await Promise.all(
      Array.from({ length: 20 }, () =>
        unwrap(creditPurchase(owner, { event: `evt_${randomUUID()}`, payment: paid.payment })),
      ),
    );
    expect(await freePoints(owner)).toBe(1500);
    expect(await purchasesOf(owner)).toEqual([
      { pack_id: 'points_small', points: 1000, amount_cents: 4900, status: 'paid', credited_points: 1000 },
    ]);
    const history = await unwrap(
      owner.client.from('transactions').select('kind, points, trial_points').eq('kind', 'purchase'),
    );
    expect(history).toEqual([{ kind: 'purchase', points: 1000, trial_points: null }]);
    expect((await auditOf(paid.payment))[0]).toBe('payment.purchase 1000');
    expect(await eventsOf(owner, 'PointsPurchased')).toHaveLength(1);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 credits the terms on which the page was opened, whatever the settings now say', async () => {
    const owner = await newOwner();
    await withSettings({ pack_small_points: 1, pack_small_cents: 100 }, () =>
      unwrap(creditPurchase(owner, newPayment())),
    );
    expect(await freePoints(owner)).toBe(1500);
  });

  test('BEY-20 of another amount or currency credits nothing, and its owner is told', async () => {
    const owner = await newOwner();
    for (const changes of [
      { p_amount_cents: 0 },
      { p_amount_cents: 4899 },
      { p_amount_cents: 4901 },
      { p_currency: 'jpy' },
      { p_price_cents: 9900 },
    ]) {
      expect(await unwrap(creditPurchase(owner, newPayment(), changes)), JSON.stringify(changes)).toEqual({
        credited: false,
        reason: 'wrong_amount',
      });
    }
    expect([await freePoints(owner), await purchasesOf(owner)]).toEqual([500, []]);
    expect(await eventsOf(owner, 'PaymentNotApplied')).toHaveLength(5);
  });

  test('BEY-20 C-103 for a deleted project or owner credits nothing, and a former owner is told', async () => {
    const [gone, erased, left] = await Promise.all([newOwner(), newOwner(), newOwner()]);
    for (const { client, startup } of [gone, left])
      await unwrap(client.rpc('delete_startup_profile', { p_startup_id: startup.id }));
    for (const { id } of [erased, left]) await unwrap(asService().rpc('anonymise_user', { p_user_id: id }));
    for (const owner of [gone, erased, left]) {
      expect(await unwrap(creditPurchase(owner, newPayment()))).toEqual({
        credited: false,
        reason: 'startup_not_found',
      });
    }
    const told = [gone, erased, left].map((owner) => eventsOf(owner, 'PaymentNotApplied'));
    expect(await Promise.all(told)).toMatchObject([[{ payload: { reason: 'startup_not_found' } }], [], []]);
  });

  test('BEY-20 that is cancelled is taken back like a refunded one; no other end is known', async () => {
    const { owner, payment } = await newBuyer();
    for (const unknown of ['lost', null]) {
      expect(await refusal(endPayment(payment, unknown))).toMatchObject({ status: 400, code: 'INVALID_STATUS' });
    }
    expect(await unwrap(endPayment(payment, 'cancelled'))).toEqual({ ended: true });
    expect(await purchasesOf(owner)).toMatchObject([{ status: 'refunded', credited_points: 0 }]);
    expect(await freePoints(owner)).toBe(500);
  });

  test('BEY-20 refuses invalid input', async () => {
    const owner = await newOwner();
    const nonsense = [
      [{ p_amount_cents: -1 }, 'INVALID_AMOUNT'],
      [{ p_amount_cents: null }, 'INVALID_AMOUNT'],
      [{ p_points: 0 }, 'INVALID_POINTS'],
      [{ p_points: null }, 'INVALID_POINTS'],
      [{ p_points: 1_000_001 }, 'INVALID_POINTS'],
      [{ p_event_id: ' ' }, 'INVALID_PAYMENT_EVENT'],
      [{ p_payment_ref: ' ' }, 'INVALID_PAYMENT_EVENT'],
      [{ p_event_id: 'x'.repeat(256) }, 'INVALID_PAYMENT_EVENT'],
      [{ p_payment_ref: 'x'.repeat(256) }, 'INVALID_PAYMENT_EVENT'],
    ] as const;
    for (const [changes, code] of nonsense)
      expect(await refusal(creditPurchase(owner, newPayment(), changes))).toMatchObject({ code });
    expect(await freePoints(owner)).toBe(500);
    await unwrap(creditPurchase(owner, newPayment(), { p_event_id: randomUUID().padEnd(255, 'x') }));
  });
});

describe('purchase limits', () => {
  test.each([true, false])('BEY-20 RULE-18 C-22 follow what was bought, with beta mode %s', (beta_mode) =>
    withSettings({ beta_mode }, async () => {
      const owner = await newVerifiedOwner();
      const limits = () => unwrap(owner.client.rpc('get_quest_limits'));
      const code = beta_mode ? 'QUEST_LIMIT' : 'TRIAL_QUEST_LIMIT';
      expect(await limits()).toEqual([
        {
          quest_count: 0,
          quest_limit: 1,
          budget_used: 0,
          budget_limit: 500,
          reward_limit: 500,
          bought_points: 0,
          has_plan: false,
        },
      ]);
      await newQuest(owner, { task: { reward_points: 100, max_completions: 5 } });
      const create = (reward_points: number, max_completions: number) =>
        owner.client.rpc('create_quest', {
          p_startup_id: owner.startup.id,
          p_campaign: { title: 'Another', summary: 'S' },
          p_task: { title: 'T', type: 'custom', instructions_md: 'I', reward_points, max_completions },
        });
      expect(await refusal(create(1, 1))).toMatchObject({ code });
      const paid = newPayment();
      await unwrap(creditPurchase(owner, paid));
      expect(await limits()).toMatchObject([
        {
          quest_count: 1,
          quest_limit: null,
          budget_used: 500,
          budget_limit: 1500,
          reward_limit: 1000,
          bought_points: 1000,
        },
      ]);
      expect(await refusal(create(100, 11))).toEqual({
        status: 409,
        code: 'POINTS_BUDGET_LIMIT',
        message: 'Total budget exceeds your limit of 1500 points, bought ones included',
      });
      await unwrap(create(100, 10));
      await unwrap(endPayment(paid.payment));
      expect(await limits()).toMatchObject([{ quest_limit: 1, budget_limit: 500, bought_points: 0 }]);
      expect(await refusal(create(1, 1))).toMatchObject({ code });
      expect(await ledgerProblems()).toEqual([]);
    }),
  );

  test('QNEW-17 RULE-05 the cap of a reward is the trial budget in the settings', () =>
    withSettings({ trial_budget_points: 800 }, async () => {
      const owner = await newOwner();
      const create = (reward_points: number) =>
        owner.client.rpc('create_quest', {
          p_startup_id: owner.startup.id,
          p_campaign: { title: 'One', summary: 'S' },
          p_task: { title: 'T', type: 'custom', instructions_md: 'I', reward_points, max_completions: 1 },
        });
      expect(await refusal(create(801))).toEqual({
        status: 400,
        code: 'REWARD_MAX',
        message: 'Beta limit: maximum 800 points per quest',
      });
      await unwrap(create(800));
    }));
});

describe("an owner's payments", () => {
  test('C-110 SEC-13 are listed newest first with their receipts, page by page, to nobody else', async () => {
    const { owner, payment } = await newBuyer();
    await unwrap(
      asService().rpc('activate_subscription', {
        p_startup_id: owner.startup.id,
        p_plan_id: 'og_lifetime',
        p_event_id: `evt_${randomUUID()}`,
        p_payment_ref: `pi_plan_${owner.id}`,
        p_amount_cents: 9900,
      }),
    );
    const receipt = (of: string) => `https://pay.stripe.com/receipts/${of}`;
    const record = (p_payment_ref: string) =>
      unwrap(asService().rpc('record_payment_receipt', { p_payment_ref, p_receipt_url: receipt(p_payment_ref) }));
    expect([await record(payment), await record(`pi_plan_${owner.id}`), await record('pi_unknown')]).toEqual([
      true,
      true,
      false,
    ]);
    const [first, ...more] = await unwrap(owner.client.rpc('list_own_payments', { p_limit: 1 }));
    expect(first).toMatchObject({
      product_id: 'og_lifetime',
      points: null,
      amount_cents: 9900,
      status: 'paid',
      receipt_url: receipt(`pi_plan_${owner.id}`),
      is_unused: false,
    });
    expect(more).toEqual([]);
    const next = await unwrap(owner.client.rpc('list_own_payments', { p_limit: 5, p_cursor: first?.cursor ?? '' }));
    expect(next).toMatchObject([
      {
        ...{
          product_id: 'points_small',
          points: 1000,
          amount_cents: 4900,
          status: 'paid',
          receipt_url: receipt(payment),
        },
        is_unused: false,
      },
    ]);
    // An admin may read all payments, but has none.
    expect(await unwrap((await newAdmin()).client.rpc('list_own_payments'))).toEqual([]);
  });

  test('C-103 C-110 those that bought nothing are among them: given back, or with an admin while the amount is unexpected', async () => {
    const owner = await newOwner();
    const payForPlan = (p_payment_ref: string) =>
      asService().rpc('activate_subscription', {
        p_startup_id: owner.startup.id,
        p_plan_id: 'og_lifetime',
        p_event_id: `evt_${randomUUID()}`,
        p_payment_ref,
        p_amount_cents: 9900,
      });
    const [first, second, odd] = [newPayment(), newPayment(), newPayment()];
    await unwrap(payForPlan(first.payment));
    expect(await unwrap(payForPlan(second.payment))).toMatchObject({ reason: 'already_subscribed' });
    expect(await unwrap(creditPurchase(owner, odd, { p_amount_cents: 4800 }))).toMatchObject({
      reason: 'wrong_amount',
    });
    const own = async () =>
      (await unwrap(owner.client.rpc('list_own_payments'))).map(
        ({ product_id, points, amount_cents, status, is_unused }) => [
          product_id,
          points,
          amount_cents,
          status,
          is_unused,
        ],
      );
    const plans = [
      ['og_lifetime', null, 9900, 'refunded', true],
      ['og_lifetime', null, 9900, 'paid', false],
    ];
    expect(await own()).toEqual([['points_small', 1000, 4800, 'pending', true], ...plans]);
    await unwrap(endPayment(odd.payment));
    expect(await own()).toEqual([['points_small', 1000, 4800, 'refunded', true], ...plans]);
    // The provider may report the same payment once more.
    await unwrap(endPayment(first.payment));
    expect(await unwrap(payForPlan(first.payment))).toMatchObject({ reason: 'payment_ended' });
    expect((await own()).map(([, , , , isUnused]) => isUnused)).toEqual([true, true, false]);
    const { payment } = newPayment();
    await unwrap(endPayment(payment, 'disputed', 'd1'));
    await unwrap(payForPlan(payment));
    expect((await own()).map(([, , , , isUnused]) => isUnused)).toEqual([false, true, true, false]);
    expect(await unwrap((await newOwner()).client.rpc('list_own_payments'))).toEqual([]);
    // What is left of a deleted project.
    await unwrap(owner.client.rpc('delete_startup_profile', { p_startup_id: owner.startup.id }));
    expect(await unwrap(creditPurchase(owner, newPayment()))).toMatchObject({ reason: 'startup_not_found' });
    expect((await own())[0]).toEqual(['points_small', 1000, 4900, 'refunded', true]);
  });
});
