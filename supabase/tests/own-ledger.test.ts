import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService } from '../../local/testing/clients.ts';
import {
  type Member,
  newAdmin,
  newCheckedOwner,
  newMember,
  newQuest,
  newVerifiedOwner,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { approvedBy } from './support/holds.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const list = (who: Member, args: { p_view?: string; p_limit?: number; p_cursor?: string } = {}) =>
  who.client.rpc('list_own_transactions', args);
const sum = (rows: { change: number }[]) => rows.reduce((total, { change }) => total + Number(change), 0);

/** A member with every kind of entry: a quest, a reversal, a bonus, a grant, a reward and a refund. */
async function newStory() {
  const [member, admin] = [await newMember(), await newAdmin()];
  const submit = async (title: string) => {
    const { taskId, campaign } = await newQuest(await newVerifiedOwner(), {
      campaign: { title },
      task: { title: `Task of ${title}`, reward_points: 50, max_completions: 1 },
    });
    const proof = { p_task_id: taskId, p_text: `Proof of ${title}` };
    return { campaign, submission: await unwrap(member.client.rpc('submit_proof', proof)) };
  };
  const kept = await submit('Kept');
  const reversed = await submit('Reversed');
  await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: reversed.submission.id, p_note: 'No' }));
  for (const [p_points, p_description] of [
    [500, 'Referral bonus'],
    [30, 'A present'],
  ] as const) {
    await unwrap(asService().rpc('credit_points_safe', { p_user_id: member.id, p_points, p_description }));
  }
  const reward = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Mug', points_cost: 40 } }));
  const redeem = async () =>
    unwrap(member.client.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: randomUUID() }));
  const open = await redeem();
  const refunded = await redeem();
  const cancel = { p_redemption_id: refunded.id, p_status: 'cancelled' };
  await unwrap(admin.client.rpc('set_redemption_status', cancel));
  return { member, kept, reversed, open, refunded };
}

describe('list_own_transactions', () => {
  test('BEY-06 every entry links to quest, proof and decision and carries the balance after it, and all add up to the balance', async () => {
    const { member, kept, reversed, open } = await newStory();
    const rows = await unwrap(list(member));
    expect(sum(rows)).toBe((await walletOf(member.id)).points);
    expect(rows[0]?.balance_after).toBe((await walletOf(member.id)).points);
    for (const [index, row] of rows.entries()) {
      expect(Number(row.balance_after) - Number(row.change)).toBe(Number(rows[index + 1]?.balance_after ?? 0));
    }
    expect(rows.find(({ submission_id }) => submission_id === kept.submission.id)).toMatchObject({
      kind: 'task_completion',
      change: 50,
      campaign_id: kept.campaign.id,
      campaign_title: 'Kept',
      task_title: 'Task of Kept',
      proof_text: 'Proof of Kept',
      submission_status: 'approved',
      reviewed_by: 'beta',
    });
    const taken = rows.find(({ kind }) => kind === 'reversal');
    expect(taken).toMatchObject({ change: -50, campaign_title: 'Reversed', submission_id: reversed.submission.id });
    expect(rows.find(({ redemption_id, kind }) => redemption_id === open.id && kind === 'redemption')).toMatchObject({
      change: -40,
      redemption_status: 'pending',
    });
  });

  test('BEY-06 is filtered on the server and paged, without an entry lost or repeated', async () => {
    const { member } = await newStory();
    const all = await unwrap(list(member));
    const views = await Promise.all(
      ['quests', 'bonuses', 'rewards', 'other'].map((p_view) => unwrap(list(member, { p_view }))),
    );
    expect(views.map((rows) => rows.length)).toEqual([3, 1, 3, 1]);
    expect(
      views
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(all.map(({ id }) => id).toSorted());
    const read = [];
    let cursor: string | undefined;
    do {
      const page = await unwrap(list(member, { p_limit: 3, ...(cursor && { p_cursor: cursor }) }));
      read.push(...page);
      cursor = page.length === 3 ? page.at(-1)?.cursor : undefined;
    } while (cursor);
    expect(read).toEqual(all);
  });

  test('C-80 TRUST-16 says how much of a bonus is still held', async () => {
    const [referrer, invited] = [await newMember(), await newMember()];
    const { code } = await unwrap(referrer.client.rpc('create_user_referral_code'));
    await unwrap(invited.client.rpc('process_referral_signup', { p_user_id: invited.id, p_code: code }));
    expect(await unwrap(list(invited))).toMatchObject([{ kind: 'welcome_bonus', change: 250, held_points: 250 }]);
    const owner = await newCheckedOwner();
    await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    expect(await unwrap(list(invited, { p_view: 'bonuses' }))).toMatchObject([{ change: 250, held_points: 0 }]);
    // Nor is anything held of a bonus that was taken back before its release.
    const next = await newMember();
    await unwrap(next.client.rpc('process_referral_signup', { p_user_id: next.id, p_code: code }));
    const [bonus] = await unwrap(list(next));
    const reversal = { p_transfer_id: bonus?.id ?? 0, p_note: 'One person' };
    await unwrap((await newAdmin()).client.rpc('reverse_transfer', reversal));
    expect(await unwrap(list(next))).toMatchObject([
      { kind: 'reversal', change: -250, held_points: 0 },
      { kind: 'welcome_bonus', change: 250, held_points: 0 },
    ]);
  });

  test('SEC-13 is private: another member reads none of it, and visitors and suspended members are refused', async () => {
    const { member } = await newStory();
    const other = await newMember();
    expect(await unwrap(list(other))).toEqual([]);
    expect(await refusal(asAnon().rpc('list_own_transactions'))).toMatchObject({ status: 401 });
    for (const [args, code] of [
      [{ p_view: 'x' }, 'INVALID_VIEW'],
      [{ p_limit: 0 }, 'INVALID_LIMIT'],
      [{ p_limit: 1001 }, 'INVALID_LIMIT'],
      [{ p_cursor: 'x' }, 'INVALID_CURSOR'],
    ] as const) {
      expect((await refusal(list(member, args))).code).toBe(code);
    }
    expect(await refusal(list(await suspend(member)))).toEqual(SUSPENDED);
  });
});
