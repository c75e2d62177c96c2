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
  projectPoints,
  type Quest,
  refusal,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { creditPurchase, newPayment } from './support/purchases.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const LINK = 'https://shop.example/welcome';

/** A 50-point task that a signed call verifies, and a member who has started it. */
async function started() {
  const [owner, member] = [await newOwner(), await newMember()];
  await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
  const task = { verification: 'call', link_url: LINK, reward_points: 50, max_completions: 2 };
  const quest = await newQuest(owner, { task });
  const [first] = await unwrap(start(member, quest, 50));
  return { owner, member, quest, token: first?.token ?? '' };
}

const start = (member: Member, { taskId }: Quest, shown?: number) =>
  member.client.rpc('start_task', { p_task_id: taskId, ...(shown !== undefined && { p_expected_reward: shown }) });

const reprice = (owner: Owner, { campaign, taskId }: Quest, reward_points: number) =>
  unwrap(
    owner.client.rpc('update_campaign', {
      p_campaign_id: campaign.id,
      p_campaign: { title: 'Q', summary: 'S', budget_points: 500 },
      p_tasks: [{ id: taskId, title: 'T', instructions_md: 'I', reward_points, max_completions: 2 }],
    }),
  );

async function call(owner: Owner, token: string) {
  const args = { p_startup_id: owner.startup.id, p_call_id: randomUUID(), p_token: token };
  return (await unwrap(asService().rpc('complete_task_by_call', args)))[0];
}

test('TRUST-20 BEY-13 a member who started for 50 points gets 50, even if the task now pays 30', async () => {
  const { owner, member, quest, token } = await started();
  await reprice(owner, quest, 30);
  expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 440, reserved: 60 });
  expect(await call(owner, token)).toMatchObject({ status: 200, code: 'COMPLETED' });
  expect((await walletOf(member.id)).points).toBe(50);
  // The other slot keeps its 30: the project's free points paid the difference.
  expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 420, reserved: 30 });
  expect(await ledgerProblems()).toEqual([]);
});

test('TRUST-20 BEY-13 a member who started for less gets what the task now pays', async () => {
  const { owner, member, quest, token } = await started();
  await reprice(owner, quest, 80);
  await call(owner, token);
  expect((await walletOf(member.id)).points).toBe(80);
  expect(await ledgerProblems()).toEqual([]);
});

test('TRUST-20 BEY-13 a project that cannot pay what it promised is told so, and nothing moves until it can', async () => {
  const { owner, member, quest, token } = await started();
  await reprice(owner, quest, 30);
  const free = async (points: number) =>
    sql().query(
      `select private.transfer(case when $2 < 0 then w.id end, case when $2 > 0 then w.id end, abs($2), 'adjustment', 'Test')
      from public.wallets w where w.startup_id = $1`,
      [owner.startup.id, points],
    );
  await free(-421);
  expect(await call(owner, token)).toEqual({
    status: 409,
    code: 'STARTED_REWARD_NOT_COVERED',
    message: 'This member started when the task paid 50 points, and the project has too few points for that.',
  });
  expect((await walletOf(member.id)).points).toBe(0);
  expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 19, reserved: 60 });
  await free(1);
  expect(await call(owner, token)).toMatchObject({ code: 'COMPLETED' });
  expect((await walletOf(member.id)).points).toBe(50);
  expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 0, reserved: 30 });
  expect(await ledgerProblems()).toEqual([]);
});

test('TRUST-20 TRUST-08 a task that was taken back waits for its owner, with the points that it was started for', async () => {
  const { owner, member, quest, token } = await started();
  await reprice(owner, quest, 30);
  await call(owner, token);
  const { rows } = await sql().query('select id from public.submissions where user_id = $1', [member.id]);
  const reversal = { p_submission_id: rows[0].id, p_note: 'Not done' };
  await unwrap((await newAdmin()).client.rpc('reverse_submission', reversal));
  await call(owner, token);
  expect(await unwrap(member.client.from('submissions').select('status, reward_points'))).toEqual([
    { status: 'pending', reward_points: 50 },
  ]);
  expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 420, reserved: 80 });
  expect(await ledgerProblems()).toEqual([]);
});

test('TRUST-20 C-07 a task that still pays what it did waits if the project cannot pay it', async () => {
  const { owner, member, quest, token } = await started();
  await sql().query(
    `select private.transfer(w.id, null, w.points - case w.kind when 'reserve' then 40 else 0 end, 'adjustment', 'Test')
     from public.wallets w where w.owner_user_id = $1 and w.kind <> 'user'`,
    [owner.id],
  );
  await call(owner, token);
  const [proof] = await unwrap(member.client.from('submissions').select('id, status'));
  expect(proof?.status).toBe('pending');
  expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 0, reserved: 40 });
  await unwrap(creditPurchase(owner, newPayment(), { p_points: 10 }));
  const decision = { p_submission_id: proof?.id ?? '', p_decision: 'approve' };
  await unwrap(owner.client.rpc('review_submission', decision));
  await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: quest.campaign.id }));
  expect((await walletOf(member.id)).points).toBe(50);
  expect(await ledgerProblems()).toEqual([]);
});

test('TRUST-20 BEY-13 nobody can start with another price than the current one; a member who was shown the new one gets it', async () => {
  const { owner, member, quest, token } = await started();
  await reprice(owner, quest, 30);
  const other = await newMember();
  expect(await refusal(start(other, quest, 50))).toMatchObject({ status: 409, code: 'PRICE_CHANGED' });
  expect(await refusal(start(member, quest, 40))).toMatchObject({ status: 409, code: 'PRICE_CHANGED' });
  await unwrap(start(member, quest, 30));
  await call(owner, token);
  expect((await walletOf(member.id)).points).toBe(30);
  expect(await ledgerProblems()).toEqual([]);
});

test('TRUST-20 BEY-13 starting again, from a page with the old price or none, keeps what was promised', async () => {
  const { owner, member, quest, token } = await started();
  await reprice(owner, quest, 30);
  await unwrap(start(member, quest, 50));
  await unwrap(start(member, quest));
  await call(owner, token);
  expect((await walletOf(member.id)).points).toBe(50);
  expect(await ledgerProblems()).toEqual([]);
});

test('TRUST-20 what a member was promised for one task is no price of another', async () => {
  const { member } = await started();
  const other = await newOwner();
  await unwrap(other.client.rpc('create_signing_secret', { p_startup_id: other.startup.id }));
  const cheaper = { verification: 'call', link_url: LINK, reward_points: 30, max_completions: 2 };
  const quest = await newQuest(other, { task: cheaper });
  expect(await refusal(start(member, quest, 50))).toMatchObject({ status: 409, code: 'PRICE_CHANGED' });
});
