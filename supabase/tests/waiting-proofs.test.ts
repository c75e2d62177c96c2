import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newQuest,
  newVerifiedOwner,
  outsideBeta,
  projectPoints,
  refusal,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { changesNothing } from './support/raw.ts';
import { letHoursPass } from './support/reviews.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** A quest with pending proofs of several members. */
async function questWithWaiting(count: number) {
  const owner = await newVerifiedOwner();
  const quest = await newQuest(owner);
  const members = await Promise.all(Array.from({ length: count }, () => newMember()));
  for (const member of members) {
    await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
  }
  return { owner, ...quest, members };
}

const outcomes = async (users: readonly { id: string }[]) => {
  const { rows } = await sql().query<{ type: string; reason: string | null }>(
    `select type, payload ->> 'reason' as reason from public.outbox_events
     where user_id = any ($1) and type like 'Submission%' order by id`,
    [users.map(({ id }) => id)],
  );
  return rows;
};

describe('C-98 TRUST-22 while proofs are pending', () => {
  test('a quest is not deleted, and the refusal says how many are pending; with "approve and pay all" they are paid and it is deleted', () =>
    outsideBeta(async () => {
      const { owner, campaign, members } = await questWithWaiting(3);
      const remove = (approve?: boolean) =>
        owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id, p_approve_waiting: approve });
      const request = await changesNothing(async () => remove());
      expect(request.error).toMatchObject({
        hint: 'PROOFS_WAITING',
        details: '{"waiting": 3}',
        message: 'Proofs are waiting for your decision: 3. Approve and pay them all, or review them first.',
      });
      expect((await remove(true)).error).toBeNull();
      for (const member of members) expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 470, reserved: 0 });
      expect((await outcomes(members)).map(({ type }) => type)).toEqual(Array(3).fill('SubmissionApproved'));
      expect(await ledgerProblems()).toEqual([]);
      const { rows } = await sql().query(
        `select l.actor_id, l.note from public.audit_log l join public.transfers t on t.submission_id::text = l.subject_id
         where t.campaign_id = $1 and l.action = 'submission.approve'`,
        [campaign.id],
      );
      expect(rows).toEqual(Array(3).fill({ actor_id: owner.id, note: 'Approved by project owner' }));
    }));

  test('a task is not dropped; with "approve and pay all" its proofs are paid in the same save, and those of kept tasks remain pending', () =>
    outsideBeta(async () => {
      const { owner, campaign, members, tasks } = await questWithWaiting(2);
      const save = (p_tasks: Record<string, string | number>[], approve?: boolean) =>
        owner.client.rpc('update_campaign', {
          p_campaign_id: campaign.id,
          p_campaign: { title: 'T', summary: 'S', budget_points: 500 },
          p_tasks,
          p_approve_waiting: approve,
        });
      const [first] = tasks;
      const kept = { id: first?.id ?? '', title: 'Kept', instructions_md: 'I', reward_points: 10, max_completions: 5 };
      const added = { title: 'Added', instructions_md: 'I', reward_points: 20, max_completions: 5 };
      await unwrap(save([kept, added, added]));
      const [, second, third] = await unwrap(
        owner.client.from('tasks').select('id').eq('campaign_id', campaign.id).order('order_index'),
      );
      const left = [kept, { ...added, id: third?.id ?? '' }];
      const prove = async (who: Member, task = second) =>
        (await unwrap(who.client.rpc('submit_proof', { p_task_id: task?.id ?? '', p_text: 'Done' }))).id;
      // Somebody who takes part in two of the kept tasks is one participant.
      await prove(members[0] ?? never(), third);
      // Two that are decided already: neither is decided again, and each is taken from the right figure.
      const decided = [await prove(await newMember()), await prove(await newMember())];
      for (const [index, id] of decided.entries()) {
        const decision = { p_decision: index === 0 ? 'approve' : 'reject', p_reason: 'does_not_match' };
        await unwrap(owner.client.rpc('review_submission', { p_submission_id: id, ...decision }));
      }
      await letHoursPass(8 * 24);
      const late = await newMember();
      const waiting = await prove(late);

      expect(await changesNothing(() => refusal(save(left)))).toMatchObject({ status: 409, code: 'PROOFS_WAITING' });
      const saved = { submission_count: 3, participant_count: 2, pending_count: 3, approved_count: 0, task_count: 2 };
      expect(await unwrap(save(left, true))).toMatchObject(saved);
      const { rows } = await sql().query(
        "select subject_id from public.audit_log where note = 'Approved by project owner' and subject_id = any ($1)",
        [[...decided, waiting]],
      );
      expect(rows).toEqual([{ subject_id: waiting }]);
      expect(await walletOf(late.id)).toEqual({ points: 20, lifetime: 20 });
      expect(await walletOf(members[0]?.id ?? '')).toEqual({ points: 0, lifetime: 0 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 nor is a quest deleted whose rejected members may appeal, or have: the refusal names the last day, or today', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId } = await questWithWaiting(2);
      const proofs = await unwrap(owner.client.from('submissions').select('id').eq('task_id', taskId));
      for (const { id } of proofs) {
        const decision = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
        await unwrap(owner.client.rpc('review_submission', decision));
      }
      const keep = (set: string, { id } = proofs[0] ?? never()) =>
        sql().query(`update public.submissions set ${set} where id = $1`, [id]);
      const refused = async () => {
        const { error } = await owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id });
        return { ...error, until: JSON.parse(error?.details ?? '{}').until };
      };
      const sentence = (day: string) =>
        `Rejected members can still appeal until ${day}. You can close the quest now, and delete it after that.`;
      await keep("kept_until = '2101-05-04 00:00+00'");
      await keep("kept_until = '2101-05-03 00:00+00'", proofs[1]);
      expect(await refused()).toMatchObject({
        hint: 'APPEAL_POSSIBLE',
        message: sentence('4 May'),
        until: '2101-05-04T00:00:00+00:00',
      });
      await keep("kept_until = now() - interval '2 days', appealed_at = now() - interval '3 days'");
      await keep("kept_until = now() - interval '1 day'", proofs[1]);
      const { rows } = await sql().query("select to_char(now() at time zone 'UTC', 'FMDD FMMonth') as today");
      expect(await refused()).toMatchObject({ message: sentence(rows[0].today) });
    }));

  test('a proof submitted while the quest is being deleted is paid or refused, never lost', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId } = await questWithWaiting(1);
      const members = await Promise.all(Array.from({ length: 4 }, () => newMember()));
      const [deleted, ...submitted] = await Promise.all([
        owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id, p_approve_waiting: true }),
        ...members.map((member) => member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' })),
      ]);
      expect(deleted.error).toBeNull();
      for (const [index, { error }] of submitted.entries()) {
        expect((await walletOf(members[index]?.id ?? '')).points).toBe(error ? 0 : 10);
      }
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('C-98 an owner who leaves pays them as far as the reserve goes, in the order of submission; the other members are told', () =>
    outsideBeta(async () => {
      const { owner, campaign, members } = await questWithWaiting(3);
      // A short reserve, which only a defect could cause: 20 points for three times 10.
      await sql().query(
        `select private.transfer((select id from public.wallets where campaign_id = $1),
           (select id from public.wallets where startup_id = $2), 30, 'release', 'test')`,
        [campaign.id, owner.startup.id],
      );
      const closed = (set: string) =>
        sql().query(`update public.campaigns set ${set} where id = $1 returning status, closed_at`, [campaign.id]);
      expect((await asService().rpc('anonymise_user', { p_user_id: owner.id })).error).toBeNull();
      expect((await closed('title = title')).rows).toEqual([{ status: 'closed', closed_at: expect.any(Date) }]);
      const [{ closed_at } = {}] = (await closed("closed_at = '2026-01-01'")).rows;
      expect((await asService().rpc('anonymise_user', { p_user_id: owner.id })).error).toBeNull();
      expect((await closed('title = title')).rows).toEqual([{ status: 'closed', closed_at }]);
      expect(await unwrap(members[0]?.client.from('submissions').select('review_note') ?? never())).toEqual([
        { review_note: 'Approved because the project has left' },
      ]);
      const points = await Promise.all(members.map(async ({ id }) => (await walletOf(id)).points));
      expect(points).toEqual([10, 10, 0]);
      expect(await outcomes(members)).toEqual([
        { type: 'SubmissionApproved', reason: null },
        { type: 'SubmissionApproved', reason: null },
        {
          type: 'SubmissionRejected',
          reason: 'The project has left and had too few points reserved to pay for this.',
        },
      ]);
      expect(
        await unwrap(members[2]?.client.from('submissions').select('status, rejection_reason') ?? never()),
      ).toEqual([{ status: 'rejected', rejection_reason: 'other' }]);
      // Nobody's decision, which the public record would have to count.
      expect(await unwrap(members[2]?.client.from('submission_history').select('action') ?? never())).toEqual([]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('C-98 TRUST-18 proofs of a held quest wait for an admin, even when its owner leaves', () =>
    outsideBeta(async () => {
      const { owner, campaign, members } = await questWithWaiting(1);
      const admin = await newAdmin();
      await unwrap(admin.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id, p_reason: 'Looks wrong' }));
      expect((await asService().rpc('anonymise_user', { p_user_id: owner.id })).error).toBeNull();
      const own = members[0]?.client.from('submissions').select('id, status') ?? never();
      const [waiting] = await unwrap(own);
      expect(waiting?.status).toBe('pending');
      await unwrap(
        admin.client.rpc('review_submission', { p_submission_id: waiting?.id ?? '', p_decision: 'approve' }),
      );
      expect(await walletOf(members[0]?.id ?? '')).toEqual({ points: 10, lifetime: 10 });
    }));

  test('TRUST-18 C-98 a suspended owner who leaves gets nobody paid, not by a quest closed before either', () =>
    outsideBeta(async () => {
      const { owner, campaign, members } = await questWithWaiting(1);
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
      const suspension = { p_user_id: owner.id, p_reason: 'Pays own accounts' };
      await unwrap((await newAdmin()).client.rpc('suspend_user', suspension));
      expect((await asService().rpc('anonymise_user', { p_user_id: owner.id })).error).toBeNull();
      expect(await walletOf(members[0]?.id ?? '')).toEqual({ points: 0, lifetime: 0 });
      expect(await outcomes(members)).toEqual([]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('TRUST-01 C-50 a member who leaves gives back what a closed quest kept for the proof', () =>
    outsideBeta(async () => {
      const { owner, campaign, members } = await questWithWaiting(2);
      const [leaving, rejected] = members;
      const own = await unwrap(rejected?.client.from('submissions').select('id').single() ?? never());
      const rejection = { p_submission_id: own.id, p_decision: 'reject', p_note: 'Nothing to see' };
      await unwrap(owner.client.rpc('review_submission', rejection));
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 480, reserved: 20 });
      expect((await asService().rpc('anonymise_user', { p_user_id: leaving?.id ?? '' })).error).toBeNull();
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 490, reserved: 10 });
      expect((await asService().rpc('anonymise_user', { p_user_id: rejected?.id ?? '' })).error).toBeNull();
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 500, reserved: 0 });
      expect(await ledgerProblems()).toEqual([]);
    }));
});

function never(): never {
  throw new Error('there is no such member');
}
