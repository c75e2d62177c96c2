import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  grantPoints,
  type Member,
  newAdmin,
  newCheckedOwner,
  newMember,
  newOwner,
  newQuest,
  type Owner,
  refusal,
  unwrap,
} from './support/factories.ts';
import { approvedBy, flag } from './support/holds.ts';
import { untilWaiting } from './support/locks.ts';
import { tick } from './support/periodic-jobs.ts';
import { referral } from './support/referrals.ts';
import { newReward, redeem } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const redeemFor = async (who: Member, cost: number) => unwrap(redeem(who, await newReward({ points_cost: cost })));
const complete = async (who: Member, owner: Owner, points: number) => {
  const quest = await newQuest(owner, {
    campaign: { title: `Quest for ${points}` },
    task: { reward_points: points, max_completions: 1 },
  });
  return unwrap(who.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: randomUUID() }));
};
const sourcesOf = async (admin: Member, redemptionId: string) =>
  (await unwrap(admin.client.rpc('get_redemption_sources', { p_redemption_id: redemptionId }))).map(
    ({ kind, campaign_title, startup_name, points, trial_points, flagged_points, related_points, flags }) => ({
      kind,
      quest: campaign_title,
      project: startup_name,
      points,
      trial: trial_points,
      flagged: flagged_points,
      related: related_points,
      flags,
    }),
  );
const flaggedPoints = async (admin: Member, who: Member): Promise<number[]> =>
  (await unwrap(admin.client.rpc('admin_list_redemptions', { p_search: who.email }))).map((row) => row.flagged_points);
const plain = { trial: 0, flagged: 0, related: 0, flags: [] };

describe("the source of a redemption's points", () => {
  test('TRUST-17 oldest first: quests with their trial share, then the rest; nothing is counted twice', async () => {
    const [admin, member, referrer] = [await newAdmin(), await newMember(), await newMember()];
    const owner = await newCheckedOwner();
    await complete(member, owner, 100);
    await grantPoints(member, 50);
    const first = await redeemFor(member, 60);
    const second = await redeemFor(member, 70);
    const third = await redeemFor(member, 20);
    const quest = { kind: 'task_completion', quest: 'Quest for 100', project: owner.startup.name };
    expect(await sourcesOf(admin, first.id)).toEqual([{ ...quest, ...plain, points: 60, trial: 60 }]);
    expect(await sourcesOf(admin, second.id)).toEqual([
      { ...quest, ...plain, points: 40, trial: 40 },
      { kind: 'adjustment', quest: null, project: null, ...plain, points: 30 },
    ]);
    expect(await sourcesOf(admin, third.id)).toEqual([
      { kind: 'adjustment', quest: null, project: null, ...plain, points: 20 },
    ]);
    expect(await flaggedPoints(admin, member)).toEqual([0, 0, 0]);
    expect(await refusal(referrer.client.rpc('get_redemption_sources', { p_redemption_id: first.id }))).toEqual(
      FORBIDDEN,
    );
    expect(await refusal(admin.client.rpc('get_redemption_sources', { p_redemption_id: randomUUID() }))).toMatchObject({
      status: 404,
      code: 'REDEMPTION_NOT_FOUND',
    });
  });

  test('C-95 of several flagged payments only what a redemption spends counts, and unflagged points are spent first', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    for (const points of [60, 50, 40]) await flag((await complete(member, await newCheckedOwner(), points)).id);
    await grantPoints(member, 20);
    await redeemFor(member, 100);
    expect(await flaggedPoints(admin, member)).toEqual([80]);
    const { rows } = await sql().query<{ points: number }>(
      `select m.flagged_points::integer as points from private.redemption_marks m join public.redemptions r on r.id = m.redemption_id
       where r.user_id = $1 order by m.transfer_id`,
      [member.id],
    );
    expect(rows).toEqual([{ points: 60 }, { points: 20 }]);
  });

  test('TRUST-17 C-80 a bonus that has been released', async () => {
    const [admin, { referrer, invited }, owner] = [await newAdmin(), await referral(), await newCheckedOwner()];
    await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    const { id } = await redeemFor(referrer, 60);
    expect(await sourcesOf(admin, id)).toEqual([
      { kind: 'referral_bonus', quest: null, project: null, ...plain, points: 60 },
    ]);
  });

  test('TRUST-17 points held at the time are no source, and a cancelled redemption returns its points', async () => {
    const [admin, referrer, member] = [await newAdmin(), await newMember(), await newMember()];
    const { code } = await unwrap(referrer.client.rpc('create_user_referral_code'));
    await unwrap(member.client.rpc('process_referral_signup', { p_user_id: member.id, p_code: code }));
    await grantPoints(member, 1);
    await complete(member, await newOwner(), 40);
    await grantPoints(member, 29);
    const cancelled = await redeemFor(member, 30);
    await unwrap(
      admin.client.rpc('set_redemption_status', { p_redemption_id: cancelled.id, p_status: 'cancelled', p_note: 'x' }),
    );
    const again = await redeemFor(member, 30);
    expect(await sourcesOf(admin, again.id)).toEqual([
      { kind: 'adjustment', quest: null, project: null, ...plain, points: 30 },
    ]);
  });

  test('TRUST-17 points released before a redemption are a source of it, those released since are none', async () => {
    const [admin, before, after] = [await newAdmin(), await newMember(), await newMember()];
    const [checked, waiting] = [await newOwner(), await newOwner()];
    const check = ({ startup }: Owner) =>
      unwrap(admin.client.rpc('mark_startup_checked', { p_startup_id: startup.id }));
    await complete(before, checked, 40);
    await complete(after, waiting, 40);
    await check(checked);
    for (const member of [before, after]) await grantPoints(member, 30);
    const [first, second] = [await redeemFor(before, 30), await redeemFor(after, 30)];
    await check(waiting);
    expect(await sourcesOf(admin, first.id)).toMatchObject([{ kind: 'task_completion', points: 30, trial: 30 }]);
    expect(await sourcesOf(admin, second.id)).toMatchObject([{ kind: 'adjustment', points: 30 }]);
  });

  test('TRUST-17 TRUST-08 points that were taken back are no source', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const wrong = await complete(member, await newCheckedOwner(), 50);
    await complete(member, await newCheckedOwner(), 40);
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: wrong.id, p_note: 'Copied' }));
    const { id } = await redeemFor(member, 40);
    expect(await sourcesOf(admin, id)).toMatchObject([{ quest: 'Quest for 40', points: 40 }]);
  });

  test('TRUST-17 TRUST-23 a bonus that was taken back is no source, and what an admin deducted was spent on it', async () => {
    const [admin, { referrer, invited }, owner] = [await newAdmin(), await referral(), await newCheckedOwner()];
    await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    const { rows } = await sql().query(
      'select w.id as wallet, e.transfer_id as bonus from public.wallets w join public.entries e on e.wallet_id = w.id where w.user_id = $1',
      [referrer.id],
    );
    const [{ wallet, bonus }] = rows;
    await unwrap(admin.client.rpc('reverse_transfer', { p_transfer_id: bonus, p_note: 'Not a person' }));
    await complete(referrer, await newCheckedOwner(), 50);
    const deduction = { p_wallet_id: wallet, p_points: -50, p_reason: 'Paid twice', p_idempotency_key: randomUUID() };
    await unwrap(admin.client.rpc('adjust_points', deduction));
    await grantPoints(referrer, 30);
    const { id } = await redeemFor(referrer, 30);
    expect(await sourcesOf(admin, id)).toMatchObject([{ kind: 'adjustment', points: 30 }]);
  });

  test('TRUST-17 C-95 the share of related accounts', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const owner = await newCheckedOwner();
    const { code } = await unwrap(owner.client.rpc('create_user_referral_code'));
    await sql().query('update public.user_profiles set created_at = now() where user_id = $1', [member.id]);
    await unwrap(member.client.rpc('process_referral_signup', { p_user_id: member.id, p_code: code }));
    const { id } = await complete(member, owner, 80);
    await tick();
    await sql().query(
      "update public.submission_flags set dismissed_at = now(), dismissed_by = 'x', dismissal_reason = 'x' where submission_id = $1",
      [id],
    );
    const redemption = await redeemFor(member, 80);
    expect(await sourcesOf(admin, redemption.id)).toMatchObject([{ points: 80, related: 80, flagged: 0 }]);
  });
});

describe('redeeming points of flagged submissions', () => {
  test('C-95 succeeds, flagged for an admin with the reasons; unflagged points are spent first and are not delayed', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const flagged = await complete(member, await newCheckedOwner(), 100);
    await flag(flagged.id);
    await complete(member, await newCheckedOwner(), 60);
    const [unmarked, marked] = [await redeemFor(member, 60), await redeemFor(member, 50)];
    const last = await redeemFor(member, 50);
    expect([unmarked.status, marked.status, last.status]).toEqual(['pending', 'pending', 'pending']);
    expect(Object.keys(marked)).not.toContain('flagged_points');
    expect(await flaggedPoints(admin, member)).toEqual([0, 50, 50]);
    expect(await sourcesOf(admin, unmarked.id)).toMatchObject([{ quest: 'Quest for 60', points: 60, flagged: 0 }]);
    expect(await sourcesOf(admin, marked.id)).toMatchObject([
      { quest: 'Quest for 100', points: 50, flagged: 50, flags: ['same_link'] },
    ]);
  });

  test('C-95 when partly covered by unflagged points, flags only the rest; cancelling clears its flag', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    await flag((await complete(member, await newCheckedOwner(), 100)).id);
    await grantPoints(member, 30);
    const first = await redeemFor(member, 50);
    expect(await flaggedPoints(admin, member)).toEqual([20]);
    await unwrap(
      admin.client.rpc('set_redemption_status', { p_redemption_id: first.id, p_status: 'cancelled', p_note: 'Copied' }),
    );
    await redeemFor(member, 130);
    expect(await flaggedPoints(admin, member)).toEqual([100, 20]);
  });

  test('C-95 of two flagged payments the first of which is spent, the next redemption is marked for the second', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    for (const points of [60, 40]) await flag((await complete(member, await newCheckedOwner(), points)).id);
    await redeemFor(member, 60);
    const { id } = await redeemFor(member, 40);
    expect(await flaggedPoints(admin, member)).toEqual([60, 40]);
    const { rows } = await sql().query(
      `select t.points from private.redemption_marks m join public.transfers t on t.id = m.transfer_id where m.redemption_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ points: '40' }]);
  });

  test("C-95 a member's flagged points are marked also when nobody else has a flag", async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    await sql().query(
      "update public.submission_flags set dismissed_at = now(), dismissed_by = 'x', dismissal_reason = 'x' where dismissed_at is null",
    );
    await flag((await complete(member, await newCheckedOwner(), 60)).id);
    // Nothing waits to be scanned, which would count as flagged, too.
    await tick();
    await redeemFor(member, 60);
    expect(await flaggedPoints(admin, member)).toEqual([60]);
  });

  test('C-95 TRUST-02 two redemptions at once are marked as if one came after the other', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    await flag((await complete(member, await newCheckedOwner(), 60)).id);
    await complete(member, await newCheckedOwner(), 60);
    // Nothing waits to be scanned, which would already keep the two apart.
    await tick();
    const reward = await newReward({ points_cost: 60 });
    const redeemOnce = () =>
      unwrap(member.client.rpc('redeem_reward_safe', { p_reward_id: reward, p_idempotency_key: randomUUID() }));
    const holder = await sql().connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from public.wallets where user_id = $1 for update', [member.id]);
      const both = Promise.all([redeemOnce(), redeemOnce()]);
      await untilWaiting(2);
      await holder.query('commit');
      await both;
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect((await flaggedPoints(admin, member)).toSorted()).toEqual([0, 60]);
  });

  test.each(['dismissed', 'reversed'])(
    'C-95 what was marked for a flag, which was %s since, marks the next flagged work all the same',
    async (end) => {
      const [admin, member] = [await newAdmin(), await newMember()];
      const first = await complete(member, await newCheckedOwner(), 60);
      await flag(first.id);
      await flag((await complete(member, await newCheckedOwner(), 60)).id);
      await redeemFor(member, 60);
      if (end === 'dismissed') {
        await sql().query(
          "update public.submission_flags set dismissed_at = now(), dismissed_by = 'x', dismissal_reason = 'x' where submission_id = $1",
          [first.id],
        );
      } else {
        await grantPoints(member, 60);
        await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: first.id, p_note: 'Copied' }));
      }
      await redeemFor(member, 60);
      expect(await flaggedPoints(admin, member)).toEqual([60, 60]);
    },
  );

  test('C-95 a dismissed flag, or a reversed payment, flags nothing', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const [dismissed, reversed] = [
      await complete(member, await newCheckedOwner(), 40),
      await complete(member, await newCheckedOwner(), 50),
    ];
    await flag(dismissed.id);
    await flag(reversed.id);
    await sql().query(
      "update public.submission_flags set dismissed_at = now(), dismissed_by = 'x', dismissal_reason = 'x' where submission_id = $1",
      [dismissed.id],
    );
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: reversed.id, p_note: 'Copied' }));
    const { id } = await redeemFor(member, 40);
    expect(await flaggedPoints(admin, member)).toEqual([0]);
    expect(await sourcesOf(admin, id)).toMatchObject([{ quest: 'Quest for 40', points: 40, flagged: 0, flags: [] }]);
  });

  test('C-95 C-94 flagged points that are held are spent by nobody, and mark no redemption of others until they are released', async () => {
    const [admin, member, owner] = [await newAdmin(), await newMember(), await newOwner()];
    await flag((await complete(member, owner, 60)).id);
    await grantPoints(member, 50);
    await redeemFor(member, 50);
    expect(await flaggedPoints(admin, member)).toEqual([0]);
    await unwrap(admin.client.rpc('mark_startup_checked', { p_startup_id: owner.startup.id }));
    await redeemFor(member, 60);
    expect(await flaggedPoints(admin, member)).toEqual([0, 60]);
  });

  test('C-95 C-94 points that are held cover no redemption in the place of flagged ones', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    await complete(member, await newOwner(), 60);
    await flag((await complete(member, await newCheckedOwner(), 50)).id);
    await redeemFor(member, 50);
    expect(await flaggedPoints(admin, member)).toEqual([50]);
  });

  const deduct = async (admin: Member, { id }: Member, points: number) => {
    const { rows } = await sql().query('select id from public.wallets where user_id = $1', [id]);
    const deduction = { p_points: -points, p_reason: 'Paid twice', p_idempotency_key: randomUUID() };
    await unwrap(admin.client.rpc('adjust_points', { p_wallet_id: rows[0].id, ...deduction }));
  };

  test('C-95 TRUST-23 of flagged points that an admin has deducted in part, only the rest is marked', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    await flag((await complete(member, await newCheckedOwner(), 50)).id);
    await deduct(admin, member, 20);
    await redeemFor(member, 30);
    expect(await flaggedPoints(admin, member)).toEqual([30]);
  });

  test('TRUST-17 C-95 C-94 TRUST-23 after an admin has deducted points that were held, the sources are those of the mark', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    await flag((await complete(member, await newOwner(), 60)).id);
    await deduct(admin, member, 60);
    await grantPoints(member, 60);
    const { id } = await redeemFor(member, 60);
    // Unflagged points are spent first, also on a deduction.
    expect(await flaggedPoints(admin, member)).toEqual([60]);
    expect(await sourcesOf(admin, id)).toMatchObject([{ quest: 'Quest for 60', points: 60, flagged: 60 }]);
  });
});
