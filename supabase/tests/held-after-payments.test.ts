import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  type Owner,
  refusal,
  submitProof,
  unwrap,
} from './support/factories.ts';
import { balanceOf, letDaysPass } from './support/holds.ts';
import { untilWaiting } from './support/locks.ts';
import { tick } from './support/periodic-jobs.ts';
import { creditPurchase, endPayment, eventsOf, newBuyer, newPayment, winDispute } from './support/purchases.ts';
import { newReward, redeem } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** What the webhook does after a payment of the plan. */
const activatePlan = ({ startup }: Owner, { event, payment }: { event: string; payment: string }) =>
  asService().rpc('activate_subscription', {
    p_startup_id: startup.id,
    p_plan_id: 'og_lifetime',
    p_event_id: event,
    p_payment_ref: payment,
    p_amount_cents: 9900,
  });

/** A member whom this owner has paid points of the trial budget, which are held. */
async function trialWork(owner: Owner, reward_points = 100, by?: Member): Promise<Member> {
  const { taskId } = await newQuest(owner, { task: { reward_points, max_completions: 1 } });
  const member = by ?? (await newMember());
  await unwrap(submitProof(member, taskId));
  return member;
}

/** The reference of a payment for points of this owner's. */
async function boughtBy(owner: Owner): Promise<string> {
  const paid = newPayment();
  await unwrap(creditPurchase(owner, paid));
  return paid.payment;
}

test('BEY-20 C-94 a dispute before its payment releases no held points; once it is won, they are released', async () => {
  const [[owner, payment], [buyer, plan]] = [
    [await newOwner(), newPayment()],
    [await newOwner(), newPayment()],
  ];
  const members = [await trialWork(owner), await trialWork(buyer)];
  for (const { payment: early } of [payment, plan]) await unwrap(endPayment(early, 'disputed', `dp_${early}`));
  await unwrap(creditPurchase(owner, payment));
  await unwrap(activatePlan(buyer, plan));
  for (const { id } of members) expect(await balanceOf(id)).toEqual({ available: 0, held: 100 });
  for (const { payment: early } of [payment, plan]) await unwrap(winDispute(early, `dp_${early}`));
  for (const { id } of members) expect(await balanceOf(id)).toEqual({ available: 100, held: 0 });
  expect(await ledgerProblems()).toEqual([]);
});

test.each([
  { what: 'points', buy: creditPurchase },
  { what: 'the plan', buy: activatePlan },
])(
  'C-94 the payment for $what that goes back releases nothing: unspent points of the last seven days are held until then',
  async ({ buy }) => {
    const [owner, paid] = [await newOwner(), newPayment()];
    const { taskId } = await newQuest(owner, { task: { reward_points: 100, max_completions: 5 } });
    const work = async () => {
      const member = await newMember();
      await unwrap(submitProof(member, taskId));
      return member;
    };
    const long = await work();
    await letDaysPass(7);
    const [before, wrong] = [await work(), await work()];
    await unwrap(buy(owner, paid));
    const [after, spender] = [await work(), await work()];
    const people = [long, before, wrong, after, spender];
    for (const { id } of people) expect(await balanceOf(id)).toEqual({ available: 100, held: 0 });
    await unwrap(redeem(spender, await newReward({ points_cost: 70 })));
    const correction = { p_points: -100, p_reason: 'Not done', p_idempotency_key: randomUUID() };
    const { rows } = await sql().query('select id from public.wallets where user_id = $1', [wrong.id]);
    await unwrap((await newAdmin()).client.rpc('adjust_points', { ...correction, p_wallet_id: rows[0].id }));

    await unwrap(endPayment(paid.payment, 'disputed', 'dp_1'));
    const balances = async () => Promise.all(people.map(({ id }) => balanceOf(id)));
    const held = [
      { available: 100, held: 0 },
      { available: 0, held: 100 },
      { available: 0, held: 0 },
      { available: 0, held: 100 },
      { available: 0, held: 30 },
    ];
    expect(await balances()).toEqual(held);
    expect(await eventsOf(after, 'PointsHeld')).toEqual([{ payload: { points: 100, kind: 'trial' } }]);
    expect(await eventsOf(spender, 'PointsHeld')).toEqual([{ payload: { points: 30, kind: 'trial' } }]);
    const reward = await newReward({ points_cost: 1 });
    expect(await refusal(redeem(before, reward))).toMatchObject({ code: 'POINTS_HELD' });
    await unwrap(endPayment(paid.payment, 'disputed', 'dp_2'));
    expect(await balances()).toEqual(held);

    await unwrap(winDispute(paid.payment, 'dp_1'));
    expect(await balances()).toEqual(held);
    await unwrap(winDispute(paid.payment, 'dp_2'));
    expect((await balances()).map((balance) => balance.held)).toEqual([0, 0, 0, 0, 0]);

    await letDaysPass(6);
    await unwrap(endPayment(paid.payment));
    await tick();
    expect(await balances()).toEqual(held);
    await letDaysPass(1);
    await tick();
    expect((await balances()).map((balance) => balance.held)).toEqual([0, 0, 0, 0, 0]);
    expect(await ledgerProblems()).toEqual([]);
  },
);

test('C-94 a won dispute releases held points also where the dispute had found no points to take back', async () => {
  const [owner, paid] = [await newOwner(), newPayment()];
  const member = await trialWork(owner);
  await unwrap(creditPurchase(owner, paid));
  const { rows } = await sql().query(
    'select id, -points::integer as all_points from public.wallets where startup_id = $1',
    [owner.startup.id],
  );
  const spent = { p_wallet_id: rows[0].id, p_points: rows[0].all_points };
  const correction = { ...spent, p_reason: 'Spent', p_idempotency_key: randomUUID() };
  await unwrap((await newAdmin()).client.rpc('adjust_points', correction));
  await unwrap(endPayment(paid.payment, 'disputed', 'dp_1'));
  expect(await balanceOf(member.id)).toEqual({ available: 0, held: 100 });
  await unwrap(winDispute(paid.payment, 'dp_1'));
  expect(await balanceOf(member.id)).toEqual({ available: 100, held: 0 });
  expect(await ledgerProblems()).toEqual([]);
});

test('C-94 holds again what was held, less what was taken back meanwhile, and nothing that was reversed', async () => {
  const [owner, admin, paid] = [await newOwner(), await newAdmin(), newPayment()];
  const { taskId } = await newQuest(owner, { task: { reward_points: 100, max_completions: 4 } });
  const people = [await newMember('lessened'), await newMember('corrected'), await newMember('reversed')];
  const works = [];
  for (const member of people) works.push(await unwrap(submitProof(member, taskId)));
  const correct = async (index: number, p_points: number) => {
    const { rows } = await sql().query('select id from public.wallets where user_id = $1', [people[index]?.id]);
    const reason = { p_reason: 'Not done', p_idempotency_key: randomUUID() };
    await unwrap(admin.client.rpc('adjust_points', { ...reason, p_wallet_id: rows[0].id, p_points }));
  };
  await correct(0, -40);
  await correct(1, -100);
  await unwrap(creditPurchase(owner, paid));
  const reversal = { p_submission_id: works[2]?.id ?? '', p_note: 'Copied' };
  await unwrap(admin.client.rpc('reverse_submission', reversal));
  for (const index of [0, 1, 2]) await correct(index, 50);
  for (const dispute of ['dp_1', 'dp_2']) {
    await unwrap(endPayment(paid.payment, 'disputed', dispute));
    expect(await Promise.all(people.map(({ id }) => balanceOf(id)))).toEqual([
      { available: 50, held: 60 },
      { available: 50, held: 0 },
      { available: 50, held: 0 },
    ]);
  }
  expect(await ledgerProblems()).toEqual([]);
});

test('C-94 holds a single point again, but none that a check of the project has freed, nor those of another project', async () => {
  const [admin, { owner, payment }, checked, other] = [
    await newAdmin(),
    await newBuyer(),
    await newOwner(),
    await newBuyer(),
  ];
  const paid = await trialWork(owner, 1);
  const free = await trialWork(checked);
  // The owner, too, is paid by a project that has paid.
  await trialWork(other.owner, 100, owner);
  const project = { p_startup_id: checked.startup.id };
  await unwrap(admin.client.rpc('mark_startup_checked', project));
  await unwrap(admin.client.rpc('revoke_verification', { ...project, p_reason: 'Sold' }));
  for (const ended of [payment, await boughtBy(checked)]) await unwrap(endPayment(ended));
  expect(await Promise.all([paid, free, owner].map(({ id }) => balanceOf(id)))).toEqual([
    { available: 0, held: 1 },
    { available: 100, held: 0 },
    { available: 100, held: 0 },
  ]);
  const { rows } = await sql().query('select id from public.submissions where user_id = $1', [paid.id]);
  await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: rows[0].id, p_note: 'Copied' }));
  expect(await balanceOf(paid.id)).toEqual({ available: 0, held: 0 });
  expect(await ledgerProblems()).toEqual([]);
});

test('C-94 TRUST-28 of a member who has deleted the account nothing is held again', async () => {
  const [{ owner, payment }, member] = [await newBuyer(), await newMember()];
  const { taskId } = await newQuest(owner, { task: { reward_points: 100, max_completions: 1 } });
  await unwrap(submitProof(member, taskId));
  await asService().rpc('anonymise_user', { p_user_id: member.id }).throwOnError();
  await unwrap(endPayment(payment));
  expect(await balanceOf(member.id)).toEqual({ available: 100, held: 0 });
  expect(await eventsOf(member, 'PointsHeld')).toEqual([]);
});

test('C-94 TRUST-02 an approval that meets the dispute is held like those before it', async () => {
  const { owner, payment } = await newBuyer();
  const { taskId } = await newQuest(owner, { task: { reward_points: 100, max_completions: 1 } });
  const member = await newMember();
  const blocker = await sql().connect();
  try {
    await blocker.query('begin');
    await blocker.query('select 1 from public.wallets where user_id = $1 for update', [member.id]);
    const approval = unwrap(submitProof(member, taskId));
    await untilWaiting();
    const dispute = unwrap(endPayment(payment, 'disputed', 'dp_1'));
    await untilWaiting(2);
    await blocker.query('commit');
    await Promise.all([approval, dispute]);
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  expect(await balanceOf(member.id)).toEqual({ available: 0, held: 100 });
});
