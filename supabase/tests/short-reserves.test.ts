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
  newVerifiedOwner,
  type Owner,
  projectPoints,
  type Quest,
  refusal,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { holdsOf } from './support/holds.ts';
import { answerDuring, walletOf as lockOfWallet, waitsWith } from './support/locks.ts';
import { creditPurchase, endPayment, eventsOf, newPayment } from './support/purchases.ts';
import { letHoursPass, settleReviews } from './support/reviews.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const submit = (who: Member, { taskId }: Quest) =>
  unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: randomUUID() }));
const decide = (owner: Owner, id: string, decision: object) =>
  unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve', ...decision }));

/** Saves the quest's only slot at a reward, with as many points of budget. */
const saveReward = (owner: Owner, { campaign, tasks: [task] }: Quest, reward_points: number) =>
  unwrap(
    owner.client.rpc('update_campaign', {
      p_campaign_id: campaign.id,
      p_campaign: { title: campaign.title, summary: campaign.summary, budget_points: reward_points },
      p_tasks: [{ id: task?.id, title: 'Try it', instructions_md: 'Sign up.', reward_points, max_completions: 1 }],
    }),
  );

const move = async ({ startup }: Owner, points: number) => {
  const { rows } = await sql().query('select id from public.wallets where startup_id = $1', [startup.id]);
  const correction = { p_wallet_id: rows[0].id, p_points: points, p_reason: 'Test', p_idempotency_key: randomUUID() };
  return unwrap((await newAdmin()).client.rpc('adjust_points', correction));
};

/** Moves points from a quest's reserve to its project, which leaves the reserve short. */
const release = ({ campaign }: Quest, points: number) =>
  sql().query(
    `select private.transfer(r.id, f.id, $2, 'release', 'Test') from public.campaigns c
     join public.wallets r on r.campaign_id = c.id join public.wallets f on f.startup_id = c.startup_id where c.id = $1`,
    [campaign.id, points],
  );

/**
 * A quest whose only slot costs 20 points while its reserve has 10 and its project none: an approval for 10 points was reversed after the
 * reward had been raised and everything else had been spent.
 */
async function shortQuest(): Promise<{ owner: Owner; quest: Quest }> {
  const [owner, member] = [await newVerifiedOwner(), await newMember()];
  const quest = await newQuest(owner, { task: { max_completions: 1 } });
  const { id } = await submit(member, quest);
  await decide(owner, id, {});
  await saveReward(owner, quest, 20);
  await move(owner, -(await projectPoints(owner.startup.id)).free);
  await unwrap((await newAdmin()).client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
  expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 0, reserved: 10 });
  return { owner, quest };
}

test.each(['waits', 'may be appealed for'])(
  'BEY-20 TRUST-04 a refund leaves what a proof that %s is promised beyond the reserve',
  (state) =>
    withSettings({ beta_mode: false }, async () => {
      const { owner, quest } = await shortQuest();
      const { id } = await submit(await newMember(), quest);
      if (state !== 'waits') await decide(owner, id, { p_decision: 'reject', p_reason: 'incomplete' });
      const paid = newPayment();
      await unwrap(creditPurchase(owner, paid, { p_points: 15 }));
      await unwrap(endPayment(paid.payment));
      expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 10, reserved: 10 });
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: quest.campaign.id }));
      expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 0, reserved: 20 });
      expect(await ledgerProblems()).toEqual([]);
    }),
);

test('BEY-08 C-01 a task paid from reserve and free balance is one task, and none after its reversal', () =>
  withSettings({ beta_mode: false }, async () => {
    const { owner, quest } = await shortQuest();
    const member = await newMember();
    const { id } = await submit(member, quest);
    await move(owner, 100);
    await decide(owner, id, {});
    const tasks = async () =>
      (await sql().query('select coalesce(sum(tasks), 0)::integer as n from private.active_weeks($1)', [member.id]))
        .rows[0].n;
    expect(await tasks()).toBe(1);
    await unwrap((await newAdmin()).client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    expect(await tasks()).toBe(0);
    expect(await ledgerProblems()).toEqual([]);
  }));

test('C-94 C-01 TRUST-08 both payments for a task are held, what the first approval lacked is told, and both go back to the trial', async () => {
  const [owner, elsewhere, member] = [await newOwner(), await newOwner(), await newMember()];
  const quest = await newQuest(owner, { task: { max_completions: 1 } });
  // One point in the reserve and eight free ones, where a task pays ten.
  await release(quest, 9);
  await move(owner, -491);
  const waiting = await submit(member, quest);
  expect(waiting.status).toBe('pending');
  const approve = { p_submission_id: waiting.id, p_decision: 'approve' };
  expect(await refusal(owner.client.rpc('review_submission', approve))).toMatchObject({
    message: 'Cannot approve submission: Startup has insufficient points. Current balance: 9, Required: 10',
  });
  await move(owner, 1);
  await decide(owner, waiting.id, {});
  expect(await eventsOf(member, 'SubmissionApproved')).toMatchObject([{ payload: { points: 10, held: 9 } }]);
  await submit(member, await newQuest(elsewhere));
  await unwrap((await newAdmin()).client.rpc('reverse_submission', { p_submission_id: waiting.id, p_note: 'Copied' }));
  expect(await holdsOf(member.id)).toEqual([
    { reason: 'trial', points: 8, state: 'reversed' },
    { reason: 'trial', points: 1, state: 'reversed' },
    { reason: 'trial', points: 10, state: 'open' },
  ]);
  const { rows } = await sql().query(
    'select sum(points)::integer as points, sum(trial_points)::integer as trial from public.wallets where owner_user_id = $1',
    [owner.id],
  );
  expect(rows).toEqual([{ points: 10, trial: 9 }]);
  expect(await ledgerProblems()).toEqual([]);
});

test('C-07 two free points and eight reserved ones are enough for a task that pays ten', async () => {
  const owner = await newOwner();
  const quest = await newQuest(owner, { task: { max_completions: 1 } });
  await release(quest, 2);
  await move(owner, -490);
  expect(await submit(await newMember(), quest)).toMatchObject({ status: 'approved' });
  expect(await ledgerProblems()).toEqual([]);
});

test('C-07 an approval that the reserve cannot pay alone locks the member’s wallet, the project’s and the reserve, in this order', async () => {
  const [owner, member] = [await newOwner(), await newMember()];
  await submit(member, await newQuest(await newOwner()));
  const quest = await newQuest(owner, { task: { max_completions: 2 } });
  await release(quest, 12);
  const [ofMember, ofProject, reserve] = [
    await lockOfWallet('user_id', member.id),
    await lockOfWallet('startup_id', owner.startup.id),
    await lockOfWallet('campaign_id', quest.campaign.id),
  ];
  const approval = (who: Member) => () =>
    who.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: randomUUID() });
  await waitsWith(ofMember, approval(member), ofProject);
  await waitsWith(ofProject, approval(await newMember()), reserve);
  expect(await ledgerProblems()).toEqual([]);
});

test.each([
  ['the reserve', 0],
  ['the free balance', 1],
])(
  'TRUST-23 C-01 both payments for a task are taken back at once, also when its quest is gone: by that from %s',
  (_from, index) =>
    withSettings({ beta_mode: false }, async () => {
      const { owner, quest } = await shortQuest();
      const [admin, member] = [await newAdmin(), await newMember()];
      const { id } = await submit(member, quest);
      await move(owner, 100);
      await decide(owner, id, {});
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: quest.campaign.id }));
      await owner.client.rpc('delete_campaign', { p_campaign_id: quest.campaign.id }).throwOnError();
      const { rows } = await sql().query(
        `select id::integer from public.transfers where submission_id = $1 order by idempotency_key like '%:balance'`,
        [id],
      );
      expect(rows).toHaveLength(2);
      const reverse = (at: number) =>
        admin.client.rpc('reverse_transfer', { p_transfer_id: rows[at].id, p_note: 'Copied' });
      expect(await unwrap(reverse(index))).toMatchObject({ kind: 'reversal', points: 20 });
      expect(await refusal(reverse(1 - index))).toMatchObject({ code: 'ALREADY_REVERSED' });
      expect(await walletOf(member.id)).toEqual({ points: 0, lifetime: 0 });
      expect(await projectPoints(owner.startup.id)).toEqual({ free: 110, reserved: 0 });
      expect(await ledgerProblems()).toEqual([]);
    }),
);

test('BEY-08 C-01 a task paid from the free balance alone is a task, too', () =>
  withSettings({ beta_mode: false }, async () => {
    const { owner, quest } = await shortQuest();
    const member = await newMember();
    const { id } = await submit(member, quest);
    await sql().query(
      "select private.transfer(w.id, null, w.points, 'adjustment', 'Test') from public.wallets w where w.campaign_id = $1",
      [quest.campaign.id],
    );
    await move(owner, 100);
    await decide(owner, id, {});
    expect(await unwrap(member.client.rpc('get_own_streak'))).toMatchObject([{ weeks: 1 }]);
    await unwrap((await newAdmin()).client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    expect(await unwrap(member.client.rpc('get_own_streak'))).toMatchObject([{ weeks: 0 }]);
    expect(await ledgerProblems()).toEqual([]);
  }));

test('BEY-23 C-01 what a rejection keeps for an appeal is reserved as far as the project has points by then', () =>
  withSettings({ beta_mode: false }, async () => {
    const { owner, quest } = await shortQuest();
    const { id } = await submit(await newMember(), quest);
    await move(owner, 5);
    await decide(owner, id, { p_decision: 'reject', p_reason: 'does_not_match' });
    expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 0, reserved: 15 });
    await move(owner, 5);
    await saveReward(owner, quest, 20);
    expect(await ledgerProblems()).toEqual([]);
  }));

test.each([
  { what: 'the points that it would reserve', column: 'startup_id' },
  { what: 'points of the reserve', column: 'campaign_id' },
] as const)('BEY-23 TRUST-02 a rejection that meets the spending of $what reserves what is left', ({ column }) =>
  withSettings({ beta_mode: false }, async () => {
    const { owner, quest } = await shortQuest();
    const { id } = await submit(await newMember(), quest);
    await move(owner, 5);
    const spend = `select private.transfer(w.id, null, 5, 'adjustment', 'Test') from public.wallets w where w.${column} = $1`;
    await answerDuring(
      (client) => client.query(spend, [column === 'startup_id' ? owner.startup.id : quest.campaign.id]),
      () => decide(owner, id, { p_decision: 'reject', p_reason: 'does_not_match' }),
    );
    expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 0, reserved: 10 });
    await move(owner, 10);
    await saveReward(owner, quest, 20);
    expect(await ledgerProblems()).toEqual([]);
  }),
);

test('C-01 RULE-09 what is spent of the reserve of a draft while it is published is reserved again', async () => {
  const owner = await newOwner();
  const { id } = (await newQuest(owner)).campaign;
  await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: id }));
  const spend =
    "select private.transfer(w.id, null, 5, 'adjustment', 'Test') from public.wallets w where w.campaign_id = $1";
  await answerDuring(
    (client) => client.query(spend, [id]),
    () => unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: id })),
  );
  expect(await projectPoints(owner.startup.id, id)).toEqual({ free: 445, reserved: 50 });
});

test('BEY-20 BEY-23 TRUST-04 a refund leaves the project what a rejected proof may still be paid on appeal', () =>
  withSettings({ beta_mode: false }, async () => {
    const [{ owner, quest }, elsewhere] = [await shortQuest(), await shortQuest()];
    // What another project owes takes nothing from the refund.
    const waiting = await submit(await newMember(), elsewhere.quest);
    const { id } = await submit(await newMember(), quest);
    await decide(owner, id, { p_decision: 'reject', p_reason: 'does_not_match' });
    const payment = { p_event_id: randomUUID(), p_payment_ref: randomUUID() };
    const pack = { p_startup_id: owner.startup.id, p_pack_id: 'points_small', p_points: 1000 };
    await unwrap(
      asService().rpc('credit_point_purchase', { ...pack, ...payment, p_amount_cents: 4900, p_price_cents: 4900 }),
    );
    const refund = { ...payment, p_event_id: randomUUID(), p_status: 'refunded' };
    await unwrap(asService().rpc('end_payment', refund));
    expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 10, reserved: 10 });
    await move(elsewhere.owner, 100);
    await decide(elsewhere.owner, waiting.id, {});
    expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
    await saveReward(owner, quest, 20);
    expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 0, reserved: 20 });
    expect(await ledgerProblems()).toEqual([]);
  }));

test('BEY-22 TRUST-04 of overdue proofs, the one due first gets what reserve and free points can pay; the other is tried again in ten minutes', () =>
  withSettings({ beta_mode: false }, async () => {
    const owner = await newVerifiedOwner();
    const quest = await newQuest(owner, { task: { reward_points: 100, max_completions: 2 } });
    const [later, first] = [await submit(await newMember(), quest), await submit(await newMember(), quest)];
    for (const [{ id }, hours] of [
      [later, 1],
      [first, 2],
    ] as const) {
      await sql().query(
        `update public.submissions set review_due_at = now() - make_interval(hours => $2), review_check_at = now() - interval '1 hour'
         where id = $1`,
        [id, hours],
      );
    }
    await release(quest, 150);
    await move(owner, 50 - (await projectPoints(owner.startup.id)).free);
    await settleReviews();
    const states = async () =>
      (
        await sql().query(
          `select s.status, ceil(extract(epoch from s.review_check_at - now()) / 60)::integer as minutes
           from unnest($1::uuid[]) with ordinality i (id, n) join public.submissions s using (id) order by i.n`,
          [[first.id, later.id]],
        )
      ).rows;
    expect(await states()).toMatchObject([{ status: 'approved' }, { status: 'pending', minutes: 10 }]);
    await move(owner, 100);
    await settleReviews();
    expect(await states()).toMatchObject([{ status: 'approved' }, { status: 'pending', minutes: 10 }]);
    await letHoursPass(1);
    await settleReviews();
    expect(await states()).toMatchObject([{ status: 'approved' }, { status: 'approved' }]);
    expect(await ledgerProblems()).toEqual([]);
  }));
