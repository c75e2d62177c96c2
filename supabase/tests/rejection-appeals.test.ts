import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { ConnectionPool, tally } from './support/connection-pool.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newQuest,
  newVerifiedOwner,
  OWN_MATTER,
  outsideBeta,
  projectPoints,
  type QuestOptions,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { changesNothing } from './support/raw.ts';
import { letHoursPass, settleReviews } from './support/reviews.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { uploadVerified } from './support/uploads.ts';

let pool: ConnectionPool;

setUpDatabase();
beforeAll(async () => {
  pool = await ConnectionPool.open(50);
});
afterAll(() => pool.leave());

const DAY = 24;
const submit = (who: Member, taskId: string, text = 'done') =>
  who.client.rpc('submit_proof', { p_task_id: taskId, p_text: text });
const review = (who: Member, id: string, decision: string) =>
  who.client.rpc('review_submission', { p_submission_id: id, p_decision: decision, p_reason: 'incomplete' });
const appeal = (who: Member, id: string, words = 'It is all there') =>
  who.client.rpc('submit_appeal', { p_kind: 'rejection', p_words: words, p_submission_id: id });
const decide = (who: Member, id: string, decision: string, note = 'Looked at it again') =>
  who.client.rpc('decide_appeal', { p_appeal_id: id, p_decision: decision, p_note: note });
const linesOf = async (who: Member, type: string) =>
  (await unwrap(who.client.rpc('list_notifications'))).filter((line) => line.type === type);
const spotsOf = async (taskId: string) =>
  (
    await sql().query(
      `select t.max_completions - t.approved_count - t.pending_count - t.kept_count as free, t.kept_count as kept,
        c.open_slots, c.kept_count as kept_in_quest
      from public.tasks t join public.campaigns c on c.id = t.campaign_id where t.id = $1`,
      [taskId],
    )
  ).rows[0];

/** A proof that the owner has rejected, in a quest with two slots for 10 points each. */
async function rejection(options: QuestOptions = {}) {
  const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
  const quest = await newQuest(owner, { ...options, task: { max_completions: 2, ...options.task } });
  const { id } = await unwrap(submit(member, quest.taskId));
  await unwrap(review(owner, id, 'reject'));
  return { owner, member, ...quest, id };
}

describe('an appeal against a rejection', () => {
  test('BEY-23 when overturned by an admin pays once, from the kept points; both sides are told, and it is audited', () =>
    outsideBeta(async () => {
      await newVerifiedOwner();
      const { owner, member, id, campaign, taskId } = await rejection();
      const admin = await newAdmin();
      const opened = await unwrap(appeal(member, id));
      expect((Date.parse(opened.due_at) - Date.now()) / 3_600_000).toBeCloseTo(48, 1);
      expect((await linesOf(owner, 'RejectionAppealed'))[0]?.data).toMatchObject({
        campaign_id: campaign.id,
        reason: 'It is all there',
      });
      const [listed] = (await unwrap(admin.client.rpc('admin_list_appeals', { p_status: 'open' }))).filter(
        (each) => each.id === opened.id,
      );
      expect(listed).toMatchObject({
        kind: 'rejection',
        submission_id: id,
        against_reason: 'The proof is incomplete.',
        campaign_title: campaign.title,
        proof_text: 'done',
        reward_points: 10,
        due_at: opened.due_at,
        instructions_md: 'Sign up and tell us what you saw.',
        earlier_instructions_md: null,
      });
      await unwrap(decide(admin, opened.id, 'overturn'));
      expect(await refusal(decide(admin, opened.id, 'overturn'))).toMatchObject({ code: 'APPEAL_DECIDED' });
      expect(await unwrap(member.client.from('submissions').select().single())).toMatchObject({
        status: 'approved',
        reviewed_by: 'questboard',
        review_note: 'Looked at it again',
        rejection_reason: null,
        kept_until: null,
      });
      expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 480, reserved: 10 });
      expect(await spotsOf(taskId)).toEqual({ free: 1, kept: 0, open_slots: 1, kept_in_quest: 0 });
      expect(await unwrap(member.client.from('submission_history').select('action, actor_id').order('id'))).toEqual([
        { action: 'rejected', actor_id: 'project' },
        { action: 'overturned', actor_id: 'questboard' },
      ]);
      for (const [line] of [await linesOf(member, 'AppealDecided'), await linesOf(owner, 'ProjectAppealDecided')])
        expect(line).toMatchObject({
          kind: 'appeal_decided',
          data: { outcome: 'overturned', note: 'Looked at it again', campaign_id: campaign.id },
        });
      expect((await linesOf(member, 'AppealDecided'))[0]?.data).toMatchObject({ points: 10, held: 0 });
      expect(await linesOf(member, 'SubmissionApproved')).toEqual([]);
      expect((await linesOf(member, 'SubmissionRejected'))[0]?.data).toMatchObject({ status: 'appealed' });
      const { rows } = await sql().query('select action, actor_id from public.audit_log where subject_id = $1', [
        opened.id,
      ]);
      expect(rows).toEqual([{ action: 'appeal.overturn', actor_id: admin.id }]);
      const shown = await unwrap(admin.client.rpc('admin_list_submissions', { p_status: 'approved', p_limit: 100 }));
      expect(shown.find((each) => each.id === id)?.reviewed_by).toBe(admin.id);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 when upheld pays nothing and frees the slot; the member may submit a new proof', () =>
    outsideBeta(async () => {
      const { owner, member, id, taskId, campaign } = await rejection();
      const [{ id: appealId }, appeal_note] = [await unwrap(appeal(member, id)), 'Looks incomplete'];
      await unwrap(decide(await newAdmin(), appealId, 'uphold', appeal_note));
      expect(await unwrap(owner.client.rpc('list_review_submissions'))).toMatchObject([{ appeal_note }]);
      expect((await walletOf(member.id)).points).toBe(0);
      expect(await spotsOf(taskId)).toEqual({ free: 2, kept: 0, open_slots: 2, kept_in_quest: 0 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 480, reserved: 20 });
      expect(await refusal(appeal(member, id))).toMatchObject({ code: 'APPEAL_EXISTS' });
      expect(await unwrap(submit(member, taskId, 'better'))).toMatchObject({ status: 'pending', appealed_at: null });
      expect(await unwrap(owner.client.rpc('list_review_submissions'))).toMatchObject([{ appeal_note: null }]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-21 BEY-23 is waited for: there is nothing to try again until it is decided', () =>
    outsideBeta(async () => {
      const { owner, campaign, member, id } = await rejection();
      const state = async () => (await unwrap(member.client.rpc('get_own_quest_states')))[0]?.state;
      expect(await state()).toBe('rejected');
      const { id: appealId } = await unwrap(appeal(member, id));
      expect(await state()).toBe('waiting');
      expect(await unwrap(member.client.rpc('list_my_quests', { p_states: ['waiting'] }))).toHaveLength(1);
      await unwrap(decide(await newAdmin(), appealId, 'uphold'));
      expect(await state()).toBe('rejected');
      await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
      expect(await state()).toBe('closed');
    }));

  test('BEY-23 is accepted on the seventh day and refused on the eighth', () =>
    outsideBeta(async () => {
      const [seventh, eighth] = [await rejection(), await rejection()];
      await letHoursPass(7 * DAY);
      await settleReviews();
      await unwrap(appeal(seventh.member, seventh.id));
      await letHoursPass(DAY);
      const late = {
        status: 409,
        code: 'APPEAL_TOO_LATE',
        message: 'A rejection can be appealed for 7 days. That time is over.',
      };
      expect(await changesNothing(() => refusal(appeal(eighth.member, eighth.id)))).toEqual(late);
      await settleReviews();
      expect(await changesNothing(() => refusal(appeal(eighth.member, eighth.id)))).toEqual(late);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 is refused from the moment in which the seven days have passed', () =>
    outsideBeta(async () => {
      const { member, id } = await rejection();
      const appealAt = (end: string) =>
        rolledBack(async (client) => {
          await client.query(`update public.submissions set kept_until = ${end} where id = $1`, [id]);
          await actAs(client, member);
          return await client.query("select public.submit_appeal('rejection', 'Again', $1)", [id]);
        });
      await expect(appealAt('now()')).rejects.toMatchObject({ hint: 'APPEAL_TOO_LATE' });
      await expect(appealAt("now() + interval '1 microsecond'")).resolves.toBeDefined();
    }));

  test('BEY-23 a second one is refused, also in fifty concurrent calls', () =>
    outsideBeta(async () => {
      const { member, id } = await rejection();
      const call = "public.submit_appeal('rejection', 'Again', $1)";
      const outcomes = await pool.together(50, () => [member.id, call, [id]]);
      expect(tally(outcomes)).toEqual({ ok: 1, APPEAL_EXISTS: 49 });
      expect(await changesNothing(() => refusal(appeal(member, id)))).toEqual({
        status: 409,
        code: 'APPEAL_EXISTS',
        message: 'You have already appealed this decision',
      });
    }));

  test('BEY-23 TRUST-02 fifty concurrent decisions have one outcome and at most one payment', () =>
    outsideBeta(async () => {
      const { member, id } = await rejection();
      const { id: appealId } = await unwrap(appeal(member, id));
      const admin = await newAdmin();
      await sql().query("insert into private.admins (user_id, reason) values ($1, 'test')", [admin.id]);
      const outcomes = await pool.together(50, (i) => [
        admin.id,
        'public.decide_appeal($1, $2, $3)',
        [appealId, i % 2 ? 'overturn' : 'uphold', 'x'],
      ]);
      expect(tally(outcomes)).toEqual({ ok: 1, APPEAL_DECIDED: 49 });
      const { status } = await unwrap(member.client.from('submissions').select('status').single());
      expect((await walletOf(member.id)).points).toBe(status === 'approved' ? 10 : 0);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test("BEY-23 needs words, and a reviewer's rejection of one's own proof", () =>
    outsideBeta(async () => {
      const { owner, member, id } = await rejection();
      const stranger = await newMember();
      expect(await refusal(appeal(member, id, ' \n'))).toMatchObject({ status: 400, code: 'APPEAL_WORDS_REQUIRED' });
      for (const who of [stranger, owner])
        expect(await changesNothing(() => refusal(appeal(who, id)))).toMatchObject({
          status: 404,
          code: 'SUBMISSION_NOT_FOUND',
        });
      const taskOf = async (state: 'pending' | 'approved' | 'reversed' | 'rejected, sent again and reversed') => {
        const [other, boss] = [await newMember(), await newVerifiedOwner()];
        const { taskId } = await newQuest(boss);
        const proof = await unwrap(submit(other, taskId));
        if (state.startsWith('rejected')) {
          await unwrap(review(boss, proof.id, 'reject'));
          await unwrap(submit(other, taskId));
        }
        if (state !== 'pending') await unwrap(review(boss, proof.id, 'approve'));
        if (state.endsWith('reversed'))
          await unwrap(
            (await newAdmin()).client.rpc('reverse_submission', { p_submission_id: proof.id, p_note: 'Copied' }),
          );
        return refusal(appeal(other, proof.id));
      };
      for (const state of ['pending', 'approved', 'reversed', 'rejected, sent again and reversed'] as const)
        expect(await taskOf(state), state).toMatchObject({ status: 409, code: 'NOTHING_TO_APPEAL' });
      await suspend(member);
      expect(await refusal(appeal(member, id))).toEqual(SUSPENDED);
    }));

  test("BEY-23 is decided by an admin, but not about the admin's own rejection", () =>
    outsideBeta(async () => {
      const { owner, member, id } = await rejection();
      const { id: appealId } = await unwrap(appeal(member, id));
      for (const who of [owner, member, await newMember()])
        expect(await changesNothing(() => refusal(decide(who, appealId, 'overturn')))).toEqual(FORBIDDEN);
      await sql().query("insert into private.admins (user_id, reason) values ($1, 'test')", [owner.id]);
      for (const decision of ['overturn', 'uphold'])
        expect(await changesNothing(() => refusal(decide(owner, appealId, decision)))).toEqual(OWN_MATTER);
    }));

  test('BEY-23 the share decided within 48 hours is measured', () =>
    outsideBeta(async () => {
      const admin = await newAdmin();
      const figures = async () => (await unwrap(admin.client.rpc('get_appeal_figures')))[0];
      const before = await figures();
      const appeals: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const { member, id } = await rejection();
        appeals.push((await unwrap(appeal(member, id))).id);
      }
      await unwrap(decide(admin, appeals[0] ?? '', 'overturn'));
      await letHoursPass(49);
      await unwrap(decide(admin, appeals[1] ?? '', 'uphold'));
      const after = await figures();
      const grown = (key: 'decided' | 'decided_in_time' | 'overturned') => (after?.[key] ?? 0) - (before?.[key] ?? 0);
      expect([grown('decided'), grown('decided_in_time'), grown('overturned')]).toEqual([2, 1, 1]);
      expect(after?.overdue).toBe(
        (await unwrap(admin.client.rpc('admin_list_appeals', { p_status: 'open', p_limit: 100 }))).filter(
          ({ due_at }) => Date.parse(due_at) <= Date.now(),
        ).length,
      );
      expect(await refusal((await newMember()).client.rpc('get_appeal_figures'))).toEqual(FORBIDDEN);
    }));
});

describe('during the appeal period', () => {
  test('BEY-23 TRUST-04 nobody else gets the slot; after seven days it is free', () =>
    outsideBeta(async () => {
      const { taskId } = await rejection({ task: { max_completions: 1 } });
      const other = await newMember();
      expect(await refusal(submit(other, taskId))).toMatchObject({ code: 'QUEST_FULL' });
      await letHoursPass(8 * DAY);
      expect(await settleReviews()).toBeGreaterThan(0);
      expect(await spotsOf(taskId)).toEqual({ free: 1, kept: 0, open_slots: 1, kept_in_quest: 0 });
      await unwrap(submit(other, taskId));
      expect(await ledgerProblems()).toEqual([]);
    }));

  test("BEY-23 C-08 the member's new proof takes the kept slot, after which there is nothing to appeal", () =>
    outsideBeta(async () => {
      const { owner, member, id, taskId, campaign } = await rejection({ task: { max_completions: 1 } });
      await unwrap(submit(member, taskId, 'better'));
      expect(await spotsOf(taskId)).toEqual({ free: 0, kept: 0, open_slots: 0, kept_in_quest: 0 });
      expect(await refusal(appeal(member, id))).toMatchObject({ code: 'NOTHING_TO_APPEAL' });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 490, reserved: 10 });
      await unwrap(review(owner, id, 'reject'));
      const second = await unwrap(appeal(member, id));
      await unwrap(decide(await newAdmin(), second.id, 'overturn'));
      expect((await walletOf(member.id)).points).toBe(10);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 C-08 no new proof is accepted while the appeal is open', () =>
    outsideBeta(async () => {
      const { member, id, taskId } = await rejection();
      await unwrap(appeal(member, id));
      expect(await changesNothing(() => refusal(submit(member, taskId)))).toEqual({
        status: 409,
        code: 'APPEAL_OPEN',
        message: 'Your appeal is being decided. You can send a new proof after that.',
      });
    }));

  test('BEY-23 TRUST-22 an owner who rejects cannot recover the points by closing or deleting the quest', () =>
    outsideBeta(async () => {
      const { owner, member, id, campaign, taskId } = await rejection();
      const drop = {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'Q', summary: 'S', budget_points: 500 },
        p_tasks: [],
      };
      const possible = { status: 409, code: 'APPEAL_POSSIBLE' };
      for (const p_approve_waiting of [false, true]) {
        expect(
          await changesNothing(() =>
            refusal(owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id, p_approve_waiting })),
          ),
        ).toMatchObject(possible);
        expect(
          await changesNothing(() => refusal(owner.client.rpc('update_campaign', { ...drop, p_approve_waiting }))),
        ).toMatchObject(possible);
      }
      const smaller = { id: taskId, title: 'T', instructions_md: 'I', reward_points: 10, max_completions: 1 };
      await unwrap(owner.client.rpc('update_campaign', { ...drop, p_tasks: [smaller] }));
      expect(await refusal(submit(await newMember(), taskId))).toMatchObject({ code: 'QUEST_FULL' });
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 490, reserved: 10 });
      const opened = await unwrap(appeal(member, id));
      await letHoursPass(9 * DAY);
      await settleReviews();
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 490, reserved: 10 });
      expect(await refusal(owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }))).toMatchObject(
        possible,
      );
      await unwrap(decide(await newAdmin(), opened.id, 'overturn'));
      expect((await walletOf(member.id)).points).toBe(10);
      await owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }).throwOnError();
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 C-25 once nobody can appeal the quest can be deleted, even before the scheduled run', () =>
    outsideBeta(async () => {
      const { owner, campaign } = await rejection();
      await letHoursPass(8 * DAY);
      await owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }).throwOnError();
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 500, reserved: 0 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 TRUST-28 deleting the account ends the appeal: the slot is free, the words are gone, and the owner hears of it', () =>
    outsideBeta(async () => {
      const { owner, member, id, taskId } = await rejection();
      await unwrap(appeal(member, id, 'My name is Ada'));
      await sql().query('select public.anonymise_user($1)', [member.id]);
      expect(await spotsOf(taskId)).toEqual({ free: 2, kept: 0, open_slots: 2, kept_in_quest: 0 });
      const { rows } = await sql().query('select words, status from public.appeals where user_id = $1', [member.id]);
      expect(rows).toEqual([{ words: 'Removed with the account', status: 'upheld' }]);
      const [line] = await linesOf(owner, 'ProjectAppealDecided');
      expect(line?.data).toMatchObject({ outcome: 'upheld', note: 'The member deleted the account' });
      expect(await ledgerProblems()).toEqual([]);
    }));
});

test('TRUST-08 a member cannot delete or replace the screenshot of a decided proof after sending another', async () => {
  const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
  const [first, second, unused] = [
    await uploadVerified(member, 'proofs'),
    await uploadVerified(member, 'proofs'),
    await uploadVerified(member, 'proofs'),
  ];
  await outsideBeta(async () => {
    const { taskId } = await newQuest(owner);
    const submit = (path: string) =>
      unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_url: `proofs/${path}` }));
    const { id } = await submit(first);
    await unwrap(
      owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'reject', p_reason: 'not_own' }),
    );
    await submit(second);
  });
  const removed = await unwrap(member.client.storage.from('proofs').remove([first, second, unused]));
  expect(removed.map(({ name }) => name)).toEqual([unused]);
});
