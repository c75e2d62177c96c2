import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { ConnectionPool } from './support/connection-pool.ts';
import {
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newQuest,
  newVerifiedOwner,
  type Owner,
  outsideBeta,
  projectPoints,
  type QuestOptions,
  refusal,
  suspend,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { balanceOf, flag, letDaysPass } from './support/holds.ts';
import { tick } from './support/periodic-jobs.ts';
import { changesNothing } from './support/raw.ts';
import { referral } from './support/referrals.ts';
import { letHoursPass, settleReviews } from './support/reviews.ts';
import { setUpDatabase } from './support/set-up-database.ts';

let pool: ConnectionPool;

setUpDatabase();
beforeAll(async () => {
  pool = await ConnectionPool.open(8);
});
afterAll(() => pool.leave());

const submit = (who: Member, taskId: string) =>
  who.client.rpc('submit_proof', { p_task_id: taskId, p_text: `By ${who.name}` });
const submissionOf = async (who: Member) => unwrap(who.client.from('submissions').select().single());
const linesOf = async (who: Member, type: string) =>
  (await unwrap(who.client.rpc('list_notifications'))).filter((line) => line.type === type);

const HOUR = 3_600_000;
const hoursUntil = (time: string | null) => (Date.parse(time ?? '') - Date.now()) / HOUR;

/** A quest outside the beta, with a pending proof. */
async function waitingProof(hours = 24, options: QuestOptions = {}) {
  const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
  const quest = await newQuest(owner, { ...options, campaign: { review_hours: hours } });
  const { id } = await unwrap(submit(member, quest.taskId));
  return { owner, member, ...quest, id };
}

interface Waiting {
  owner: Owner;
  campaign: { id: string };
}

async function holdQuest({ campaign }: Waiting): Promise<void> {
  const hold = { p_campaign_id: campaign.id, p_reason: 'Looking at it' };
  await unwrap((await newAdmin()).client.rpc('unpublish_campaign', hold));
}

async function closeProject({ owner, campaign }: Waiting): Promise<void> {
  // Closed first, so that the quest itself is not what is held.
  await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
  const suspension = { p_user_id: owner.id, p_reason: 'Looking at it' };
  await unwrap((await newAdmin()).client.rpc('suspend_user', suspension));
}

describe('the review promise', () => {
  test('BEY-22 is 24 to 504 hours, 72 by default, and public with the quest', async () => {
    const owner = await newVerifiedOwner();
    const { campaign } = await newQuest(owner);
    expect(campaign.review_hours).toBe(72);
    const values = { title: 'Q', summary: 'S', budget_points: 500 };
    const save = (review_hours: unknown) =>
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { ...values, review_hours: review_hours as number },
        p_tasks: [],
      });
    for (const refused of [23, 505, 0, -1, 'soon', null, 24.5]) {
      expect(await changesNothing(() => refusal(save(refused))), String(refused)).toEqual({
        status: 400,
        code: 'REVIEW_TIME_RANGE',
        message: 'The review time must be between 24 and 504 hours',
      });
    }
    for (const accepted of [24, 504]) expect((await unwrap(save(accepted))).review_hours).toBe(accepted);
    const unchanged = { p_campaign_id: campaign.id, p_campaign: values, p_tasks: [] };
    expect((await unwrap(owner.client.rpc('update_campaign', unchanged))).review_hours).toBe(504);
    const other = await newVerifiedOwner();
    const create = (review_hours: number) =>
      other.client.rpc('create_quest', {
        p_startup_id: other.startup.id,
        p_campaign: { title: 'Q', review_hours },
        p_task: { reward_points: 1, max_completions: 1, instructions_md: 'I' },
      });
    expect(await refusal(create(12))).toMatchObject({ code: 'REVIEW_TIME_RANGE' });
  });

  test('BEY-22 is made by each quest of which a person reviews proofs, also where a task without a proof would complete itself', () =>
    outsideBeta(async () => {
      for (const [verification, requires_proof, hours] of [
        ['automatic', true, 72],
        ['automatic', false, null],
        ['review', false, 72],
      ] as const) {
        const owner = await newVerifiedOwner();
        const { campaign } = await newQuest(owner, { task: { verification, requires_proof } });
        const { rows } = await sql().query('select private.promised_hours($1, 72) as hours', [campaign.id]);
        const [listed] = await unwrap(owner.client.rpc('list_published_quests', { p_startup_id: owner.startup.id }));
        expect([rows[0].hours, listed?.review_hours]).toEqual([hours, hours]);
      }
    }));

  test('BEY-22 is fixed when a proof is submitted: a later change of the quest does not move it', () =>
    outsideBeta(async () => {
      const { owner, member, campaign, tasks } = await waitingProof(48);
      const first = await submissionOf(member);
      expect(hoursUntil(first.review_due_at)).toBeCloseTo(48, 1);
      const change = (review_hours: number) =>
        unwrap(
          owner.client.rpc('update_campaign', {
            p_campaign_id: campaign.id,
            p_campaign: { title: 'Q', summary: 'S', budget_points: 500, review_hours },
            p_tasks: tasks.map((task) => ({ ...task })),
          }),
        );
      for (const hours of [24, 504]) {
        await change(hours);
        expect((await submissionOf(member)).review_due_at).toBe(first.review_due_at);
      }
      const later = await newMember();
      await unwrap(submit(later, tasks[0]?.id ?? ''));
      expect(hoursUntil((await submissionOf(later)).review_due_at)).toBeCloseTo(504, 1);
    }));

  test('BEY-22 a proof that the beta approves at once gets none', async () => {
    const { member } = await waitingProof();
    expect(await submissionOf(member)).toMatchObject({ status: 'approved', review_due_at: null });
  });

  test('BEY-01 BEY-22 the desk can sort by due time before submission time', () =>
    outsideBeta(async () => {
      const owner = await newVerifiedOwner();
      await sql().query("select private.transfer(null, private.startup_wallet($1, $2), 500, 'adjustment', 'Points')", [
        owner.startup.id,
        owner.id,
      ]);
      await withSettings({ trial_quest_limit: 2, trial_budget_points: 1000 }, async () => {
        const slow = await newQuest(owner, { campaign: { review_hours: 500 } });
        const quick = await newQuest(owner, { campaign: { review_hours: 24 } });
        const [early, late] = [await newMember(), await newMember()];
        const first = await unwrap(submit(early, slow.taskId));
        const second = await unwrap(submit(late, quick.taskId));
        const rows = await unwrap(owner.client.rpc('list_review_submissions', { p_status: 'pending' }));
        expect(rows.map(({ id }) => id)).toEqual([second.id, first.id]);
        expect(rows[0]?.review_due_at).toBe(second.review_due_at);
        const counts = await unwrap(owner.client.rpc('get_review_counts'));
        expect(counts.find(({ campaign_id }) => campaign_id === quick.campaign.id)?.next_due_at).toBe(
          second.review_due_at,
        );
      });
    }));
});

describe('reminders', () => {
  test('BEY-22 BEY-03 are sent at half and at nine tenths of the time, once each, and are marked read when everything is decided', () =>
    outsideBeta(async () => {
      const { owner, member, campaign, taskId, id } = await waitingProof(100);
      const later = await unwrap(submit(await newMember(), taskId));
      const told = async () => [
        (await linesOf(owner, 'ReviewHalfTime')).length,
        (await linesOf(owner, 'ReviewDueSoon')).length,
      ];
      await letHoursPass(49);
      await settleReviews();
      expect(await told()).toEqual([0, 0]);
      await letHoursPass(2);
      await settleReviews();
      await settleReviews();
      expect(await told()).toEqual([1, 0]);
      const [line] = await linesOf(owner, 'ReviewHalfTime');
      // Until when the first of them waits for an answer.
      const { review_due_at: due_at } = await submissionOf(member);
      expect(line).toMatchObject({ kind: 'review_due', data: { campaign_id: campaign.id, count: 2, due_at } });
      await letHoursPass(38);
      await settleReviews();
      expect(await told()).toEqual([1, 0]);
      await letHoursPass(2);
      await settleReviews();
      await settleReviews();
      expect(await told()).toEqual([1, 1]);
      for (const p_submission_id of [id, later.id])
        await unwrap(owner.client.rpc('review_submission', { p_submission_id, p_decision: 'approve' }));
      const lines = await unwrap(owner.client.rpc('list_notifications'));
      const reminders = lines.filter((each) => each.kind === 'review_due');
      expect(reminders.map(({ read_at }) => read_at === null)).toEqual([false, false]);
      // Who reads them later is not told that proofs wait.
      expect(reminders.map(({ waiting }) => waiting)).toEqual([0, 0]);
    }));

  test('BEY-22 an owner who has decided in time is not reminded', () =>
    outsideBeta(async () => {
      const { owner, id } = await waitingProof(24);
      const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
      await unwrap(owner.client.rpc('review_submission', rejection));
      await letHoursPass(13);
      await settleReviews();
      expect(await linesOf(owner, 'ReviewHalfTime')).toEqual([]);
    }));

  test.each([
    ['held quest', holdQuest],
    ['closed project', closeProject],
  ] as const)('BEY-22 the owner of a %s, who cannot decide, is not reminded', (_, prepare) =>
    outsideBeta(async () => {
      const proof = await waitingProof(24);
      await prepare(proof);
      await letHoursPass(13);
      await settleReviews();
      expect(await linesOf(proof.owner, 'ReviewHalfTime')).toEqual([]);
    }),
  );

  test("BEY-22 a quest's proofs share one notification until it is read, also with several workers at once", () =>
    outsideBeta(async () => {
      const { owner, taskId } = await waitingProof(24);
      for (const member of await Promise.all([newMember(), newMember(), newMember()]))
        await unwrap(submit(member, taskId));
      await letHoursPass(13);
      await pool.together(8, () => [null, 'public.settle_due_reviews(1)', []]);
      await pool.together(8, () => [null, 'public.settle_due_reviews(1)', []]);
      expect(await linesOf(owner, 'ReviewHalfTime')).toHaveLength(1);
    }));
});

describe('overdue proofs', () => {
  test('BEY-22 TRUST-02 the server approves and pays once, however many workers there are, and tells both sides', () =>
    outsideBeta(async () => {
      const { owner, member, campaign, id } = await waitingProof(24);
      await letHoursPass(23);
      await settleReviews();
      expect((await submissionOf(member)).status).toBe('pending');
      await letHoursPass(1);
      const outcomes = await pool.together(8, () => [null, 'public.settle_due_reviews()', []]);
      expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
      await settleReviews();
      expect(await submissionOf(member)).toMatchObject({
        status: 'approved',
        reviewed_by: 'deadline',
        review_note: 'Approved because the project did not decide in time',
      });
      expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 450, reserved: 40 });
      expect(await unwrap(member.client.from('submission_history').select('action, actor_id'))).toEqual([
        { action: 'approved', actor_id: 'deadline' },
      ]);
      expect((await linesOf(member, 'SubmissionApproved')).map(({ data }) => data)).toEqual([
        expect.objectContaining({ points: 10, decided_by: 'deadline' }),
      ]);
      expect((await linesOf(owner, 'ReviewTimeOver')).map(({ data }) => data)).toEqual([
        { campaign_id: campaign.id, quest: campaign.title, count: 1, points: 10 },
      ]);
      expect(
        await refusal(
          owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'reject', p_note: 'x' }),
        ),
      ).toMatchObject({ code: 'ALREADY_REVIEWED' });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-22 TRUST-02 workers and the owner at the same moment: one decision, at most one payment', () =>
    outsideBeta(async () => {
      const { owner, member, id } = await waitingProof(24);
      await letHoursPass(25);
      await pool.together(8, (i) =>
        i % 2
          ? [null, 'public.settle_due_reviews()', []]
          : [owner.id, 'public.review_submission($1, $2, $3)', [id, i % 4 ? 'approve' : 'reject', 'reason']],
      );
      await settleReviews();
      const { status } = await submissionOf(member);
      expect(status).not.toBe('pending');
      expect((await walletOf(member.id)).points).toBe(status === 'approved' ? 10 : 0);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-22 C-50 a proof of a quest that was closed meanwhile is paid as well', () =>
    outsideBeta(async () => {
      const { owner, member, campaign } = await waitingProof(24);
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
      await letHoursPass(25);
      await settleReviews();
      expect((await walletOf(member.id)).points).toBe(10);
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 490, reserved: 0 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test.each([
    ['flagged', async ({ id }: { id: string }) => void (await flag(id))],
    ['project_closed', closeProject],
    ['member_suspended', async ({ member }: { member: Member }) => void (await suspend(member))],
    ['quest_held', holdQuest],
  ] as const)(
    'BEY-22 C-95 TRUST-18 waiting does not pay what is in doubt (%s): an admin decides',
    (obstacle, prepare) =>
      outsideBeta(async () => {
        const proof = await waitingProof(24);
        await prepare(proof);
        await letHoursPass(25);
        await settleReviews();
        const status = async () =>
          (await sql().query('select status from public.submissions where id = $1', [proof.id])).rows[0]?.status;
        expect(await status()).toBe('pending');
        expect((await walletOf(proof.member.id)).points).toBe(0);
        const admin = await newAdmin();
        const listed = await unwrap(admin.client.rpc('admin_list_submissions', { p_status: 'overdue', p_limit: 100 }));
        expect(listed.find(({ id }) => id === proof.id)).toMatchObject({ obstacle });
        expect((await unwrap(admin.client.rpc('get_admin_todo'))) as { overdue_reviews: number }).toMatchObject({
          overdue_reviews: listed.length,
        });
        await unwrap(admin.client.rpc('review_submission', { p_submission_id: proof.id, p_decision: 'approve' }));
        expect(await status()).toBe('approved');
        expect(await ledgerProblems()).toEqual([]);
      }),
  );

  test('BEY-22 once the obstacle is gone, the server approves on its next run', () =>
    outsideBeta(async () => {
      // All that the project has is in the reserve of this quest, and just enough.
      const { member, id } = await waitingProof(24, { task: { reward_points: 500, max_completions: 1 } });
      await flag(id);
      await letHoursPass(25);
      await settleReviews();
      await sql().query('delete from public.submission_flags where submission_id = $1', [id]);
      await letHoursPass(1);
      await settleReviews();
      expect((await submissionOf(member)).reviewed_by).toBe('deadline');
    }));

  test('BEY-22 C-07 with too few points the proof waits for them, and later ones are paid meanwhile', () =>
    outsideBeta(async () => {
      const poor = await waitingProof(24);
      const move = (from: string, to: string) =>
        sql().query(
          `select private.transfer(${from}, ${to}, 50, 'adjustment', 'Test') from public.wallets w where w.campaign_id = $1`,
          [poor.campaign.id],
        );
      await sql().query(
        "select private.transfer(w.id, null, w.points, 'adjustment', 'Test') from public.wallets w where w.startup_id = $1",
        [poor.owner.startup.id],
      );
      await move('w.id', 'null');
      const other = await waitingProof(24);
      await letHoursPass(25);
      await settleReviews();
      expect((await submissionOf(other.member)).status).toBe('approved');
      expect((await submissionOf(poor.member)).status).toBe('pending');
      const overdue = { p_status: 'overdue', p_limit: 100 };
      const listed = await unwrap((await newAdmin()).client.rpc('admin_list_submissions', overdue));
      expect(listed.find(({ id }) => id === poor.id)).toMatchObject({ obstacle: 'points_short' });
      await move('null', 'w.id');
      await letHoursPass(1);
      await settleReviews();
      expect((await submissionOf(poor.member)).status).toBe('approved');
      expect(await ledgerProblems()).toEqual([]);
    }));

  test("BEY-22 C-80 an automatic approval is not a person's: a referral bonus remains held for seven days", () =>
    outsideBeta(async () => {
      const [owner, { referrer, invited }] = [await newVerifiedOwner(), await referral()];
      const { taskId } = await newQuest(owner, { campaign: { review_hours: 24 } });
      const { id } = await unwrap(submit(invited, taskId));
      await letHoursPass(25);
      await settleReviews();
      const { rows } = await sql().query('select private.is_decided($1) as decided', [id]);
      expect([rows, (await submissionOf(invited)).status]).toEqual([[{ decided: false }], 'approved']);
      for (const [days, held] of [
        [6, 500],
        [1, 0],
      ] as const) {
        await letDaysPass(days);
        await tick();
        expect((await balanceOf(referrer.id)).held).toBe(held);
      }
    }));

  test('BEY-22 only the server settles overdue proofs', async () => {
    const [member, owner] = [await newMember(), await newVerifiedOwner()];
    for (const who of [member, owner]) {
      expect(await refusal(who.client.rpc('settle_due_reviews'))).toMatchObject({ status: 403 });
    }
  });
});
