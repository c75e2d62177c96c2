import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  projectPoints,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const SMALL = { points: 1000, cents: 4900 };

interface Payment {
  event: string;
  payment: string;
}
const newPayment = (): Payment => ({ event: `evt_${randomUUID()}`, payment: `pi_${randomUUID()}` });

const credit = ({ startup }: Owner, { event, payment }: Payment, changes: Record<string, unknown> = {}) =>
  asService().rpc('credit_point_purchase', {
    p_startup_id: startup.id,
    p_pack_id: 'points_small',
    p_points: SMALL.points,
    p_event_id: event,
    p_payment_ref: payment,
    p_amount_cents: SMALL.cents,
    p_price_cents: SMALL.cents,
    ...changes,
  });

/** An owner who has bought a small pack. */
async function newBuyer(): Promise<{ owner: Owner; payment: string }> {
  const owner = await newOwner();
  const paid = newPayment();
  await unwrap(credit(owner, paid));
  return { owner, payment: paid.payment };
}

const end = (payment: string, p_status = 'refunded', dispute?: string) =>
  asService().rpc('end_payment', {
    p_payment_ref: payment,
    p_event_id: `evt_${randomUUID()}`,
    p_status,
    ...(dispute ? { p_dispute_ref: dispute } : {}),
  });

const win = (payment: string, dispute: string) =>
  asService().rpc('reinstate_payment', {
    p_payment_ref: payment,
    p_event_id: `evt_${randomUUID()}`,
    p_dispute_ref: dispute,
  });

const purchasesOf = (owner: Owner) =>
  unwrap(
    owner.client
      .from('point_purchases')
      .select('pack_id, points, amount_cents, status, credited_points')
      .eq('owner_user_id', owner.id),
  );

const freePoints = async ({ startup }: Owner) => (await projectPoints(startup.id)).free;
const eventsOf = async (owner: Owner, type: string) =>
  (await sql().query('select payload from public.outbox_events where user_id = $1 and type = $2', [owner.id, type]))
    .rows;
const auditOf = async (payment: string) => {
  const { rows } = await sql().query<{ line: string }>(
    `select a.action || ' ' || (a.after ->> 'credited_points') as line from public.audit_log a
     where a.subject_type = 'payment' and a.subject_id = $1 order by a.id`,
    [payment],
  );
  return rows.map(({ line }) => line);
};

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
    await withSettings({ pack_small_points: 0 }, async () => {
      expect(await refusal(terms(owner))).toMatchObject({ code: 'INVALID_PACK' });
    });
    expect(await refusal(terms(owner, { p_pack_id: 'og_lifetime' }))).toMatchObject({ code: 'INVALID_PACK' });
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
    const answers = await Promise.all(Array.from({ length: 20 }, () => unwrap(credit(owner, paid))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ reason: null, credited: true })]),
    );
    // Another event of the same payment: a redelivery under a new id, or a late asynchronous one.
    await Promise.all(
      Array.from({ length: 20 }, () => unwrap(credit(owner, { event: `evt_${randomUUID()}`, payment: paid.payment }))),
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
    await withSettings({ pack_small_points: 1, pack_small_cents: 100 }, () => unwrap(credit(owner, newPayment())));
    expect(await freePoints(owner)).toBe(1500);
  });

  test('BEY-20 of another amount or currency credits nothing, and alerts an admin', async () => {
    const owner = await newOwner();
    for (const changes of [
      { p_amount_cents: 0 },
      { p_amount_cents: 4899 },
      { p_amount_cents: 4901 },
      { p_currency: 'jpy' },
      { p_price_cents: 9900 },
    ]) {
      expect(await unwrap(credit(owner, newPayment(), changes)), JSON.stringify(changes)).toEqual({
        credited: false,
        reason: 'wrong_amount',
      });
    }
    expect([await freePoints(owner), await purchasesOf(owner)]).toEqual([500, []]);
    expect(await eventsOf(owner, 'PaymentNotApplied')).toHaveLength(5);
  });

  test('BEY-20 for a deleted project or owner credits nothing', async () => {
    const [gone, erased] = await Promise.all([newOwner(), newOwner()]);
    await unwrap(gone.client.rpc('delete_startup_profile', { p_startup_id: gone.startup.id }));
    await unwrap(asService().rpc('anonymise_user', { p_user_id: erased.id }));
    for (const owner of [gone, erased]) {
      expect(await unwrap(credit(owner, newPayment()))).toEqual({ credited: false, reason: 'startup_not_found' });
    }
  });

  test('BEY-20 refuses invalid input', async () => {
    const owner = await newOwner();
    const nonsense = [
      [{ p_amount_cents: -1 }, 'INVALID_AMOUNT'],
      [{ p_points: 0 }, 'INVALID_POINTS'],
      [{ p_points: 1_000_001 }, 'INVALID_POINTS'],
      [{ p_event_id: ' ' }, 'INVALID_PAYMENT_EVENT'],
    ] as const;
    for (const [changes, code] of nonsense) {
      expect(await refusal(credit(owner, newPayment(), changes))).toMatchObject({ code });
    }
    expect(await freePoints(owner)).toBe(500);
  });
});

describe('a refunded or disputed payment', () => {
  test('BEY-20 takes the unspent points back once, and never those of the trial', async () => {
    const { owner, payment } = await newBuyer();
    await unwrap(end(payment));
    expect(await auditOf(payment)).toEqual(['payment.purchase 1000', 'payment.end 0']);
    await unwrap(end(payment));
    expect(await freePoints(owner)).toBe(500);
    expect(await purchasesOf(owner)).toMatchObject([{ status: 'refunded', credited_points: 0 }]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 TRUST-04 takes reserves too, except what pending proofs were promised; what was paid out remains, flagged for the admin', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, paid, waiting] = [await newVerifiedOwner(), await newMember(), await newMember()];
      const payment = newPayment();
      await unwrap(credit(owner, payment));
      const quest = await newQuest(owner, { task: { reward_points: 100, max_completions: 15 } });
      expect(await freePoints(owner)).toBe(0);
      const first = await unwrap(paid.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: first.id, p_decision: 'approve' }));
      const second = await unwrap(waiting.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
      // 500 trial points and 1,000 bought: 100 trial points are paid out, 100 promised; unspent are 900 bought ones and 400 of the trial.
      await unwrap(end(payment.payment, 'disputed', 'dp_1'));
      expect(await purchasesOf(owner)).toMatchObject([{ status: 'disputed', credited_points: 0 }]);
      expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 300, reserved: 100 });
      const { data } = await owner.client
        .from('campaigns')
        .select('status, published_at')
        .eq('id', quest.campaign.id)
        .single();
      expect(data).toEqual({ status: 'draft', published_at: null });
      expect(await ledgerProblems()).toEqual([]);
      // The pending proof is still paid, and the quest can only be published with other points.
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: second.id, p_decision: 'approve' }));
      expect(await refusal(owner.client.rpc('publish_campaign', { p_campaign_id: quest.campaign.id }))).toMatchObject({
        code: 'INSUFFICIENT_POINTS',
      });
    }));

  test('BEY-20 TRUST-18 takes the reserve of a held quest too, which is a draft without points once the hold ends', async () => {
    const [admin, { owner, payment }] = [await newAdmin(), await newBuyer()];
    const { campaign } = await newQuest(owner, { task: { reward_points: 100, max_completions: 15 } });
    await unwrap(admin.client.rpc('suspend_user', { p_user_id: owner.id, p_reason: 'A stolen card?' }));
    await unwrap(end(payment, 'disputed', 'dp_held'));
    await unwrap(admin.client.rpc('lift_suspension', { p_user_id: owner.id }));
    const state = owner.client.from('campaigns').select('status, published_at, held_at').eq('id', campaign.id);
    expect(await unwrap(state)).toEqual([{ status: 'draft', published_at: null, held_at: null }]);
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 500, reserved: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 TRUST-05 points that members have already earned are missing, and admins can see it', async () => {
    const { owner, payment } = await newBuyer();
    const quest = await newQuest(owner, { task: { reward_points: 750, max_completions: 2 } });
    for (const member of await Promise.all([newMember(), newMember()])) {
      await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
    }
    await unwrap(end(payment));
    const admin = await newAdmin();
    const short = await unwrap(
      admin.client.from('point_purchases').select('status, credited_points').eq('owner_user_id', owner.id),
    );
    expect(short).toEqual([{ status: 'refunded', credited_points: 1000 }]);
    expect(await eventsOf(owner, 'PurchaseTakenBack')).toMatchObject([{ payload: { taken_back: 0, missing: 1000 } }]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 reported before the payment, prevents its credit', async () => {
    const owner = await newOwner();
    const [refunded, disputed] = [newPayment(), newPayment()];
    await unwrap(end(refunded.payment));
    await unwrap(end(disputed.payment, 'disputed', 'dp_early'));
    for (const payment of [refunded, disputed]) {
      expect(await unwrap(credit(owner, payment))).toEqual({ credited: false, reason: 'payment_ended' });
    }
    expect(await freePoints(owner)).toBe(500);
    expect((await purchasesOf(owner)).map(({ status }) => status).sort()).toEqual(['disputed', 'refunded']);
    // The dispute is won after all.
    expect(await unwrap(win(disputed.payment, 'dp_early'))).toEqual({ reinstated: true, reason: null });
    expect(await freePoints(owner)).toBe(1500);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 what an admin has written off is not taken when the dispute is lost', async () => {
    const { owner, payment } = await newBuyer();
    const { taskId } = await newQuest(owner, { task: { reward_points: 700, max_completions: 1 } });
    await unwrap((await newMember()).client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }));
    await unwrap(end(payment, 'disputed', 'dp_1'));
    expect(await purchasesOf(owner)).toMatchObject([{ status: 'disputed', credited_points: 200 }]);
    const { rows } = await sql().query('select id from public.point_purchases where payment_ref = $1', [payment]);
    const decision = { p_purchase_id: rows[0].id, p_decision: 'write_off', p_note: 'Too little to ask for' };
    await unwrap((await newAdmin()).client.rpc('settle_returned_payment', decision));
    await unwrap(credit(owner, newPayment()));
    await unwrap(end(payment, 'disputed', 'dp_1'));
    expect(await freePoints(owner)).toBe(1000);
    expect(await unwrap(win(payment, 'dp_1'))).toEqual({ reinstated: true, reason: null });
    expect(await freePoints(owner)).toBe(1800);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 a won dispute returns exactly what it took, and a refund after it is final', async () => {
    const { owner, payment } = await newBuyer();
    for (const dispute of ['dp_1', 'dp_2']) {
      await unwrap(end(payment, 'disputed', dispute));
      expect(await freePoints(owner)).toBe(500);
      expect(await unwrap(win(payment, dispute))).toEqual({ reinstated: true, reason: null });
      expect(await unwrap(win(payment, dispute))).toMatchObject({ reinstated: false, reason: 'not_disputed' });
      expect(await freePoints(owner)).toBe(1500);
    }
    await unwrap(end(payment));
    expect(await unwrap(win(payment, 'dp_2'))).toMatchObject({ reinstated: false });
    expect(await freePoints(owner)).toBe(500);
    expect(await ledgerProblems()).toEqual([]);
  });
});

describe('purchase limits', () => {
  test.each([true, false])('BEY-20 RULE-18 C-22 follow what was bought, with beta mode %s', (beta_mode) =>
    withSettings({ beta_mode }, async () => {
      const owner = await newVerifiedOwner();
      const limits = () => unwrap(owner.client.rpc('get_quest_limits'));
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
      expect(await refusal(create(1, 1))).toMatchObject({ code: 'QUEST_LIMIT' });
      const paid = newPayment();
      await unwrap(credit(owner, paid));
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
      await unwrap(end(paid.payment));
      expect(await limits()).toMatchObject([{ quest_limit: 1, budget_limit: 500, bought_points: 0 }]);
      expect(await refusal(create(1, 1))).toMatchObject({ code: 'QUEST_LIMIT' });
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
    const receipt = 'https://pay.stripe.com/receipts/1';
    const record = (p_payment_ref: string) =>
      unwrap(asService().rpc('record_payment_receipt', { p_payment_ref, p_receipt_url: receipt }));
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
      receipt_url: receipt,
    });
    expect(more).toEqual([]);
    const next = await unwrap(owner.client.rpc('list_own_payments', { p_limit: 5, p_cursor: first?.cursor ?? '' }));
    expect(next).toMatchObject([
      { product_id: 'points_small', points: 1000, amount_cents: 4900, status: 'paid', receipt_url: receipt },
    ]);
  });
});
