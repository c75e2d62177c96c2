import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  type Member,
  newAdmin,
  newCheckedOwner,
  newMember,
  newOwner,
  newQuest,
  OWN_MATTER,
  type Owner,
  projectPoints,
  refusal,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { approvedBy, balanceOf, holdsOf } from './support/holds.ts';
import { untilWaiting } from './support/locks.ts';
import { eventsOf } from './support/purchases.ts';
import { changesNothing } from './support/raw.ts';
import { referral } from './support/referrals.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const reverse = (admin: Member, transferId: number, note = 'Copied') =>
  admin.client.rpc('reverse_transfer', { p_transfer_id: transferId, p_note: note });
const transferOf = async (submissionId: string): Promise<number> => {
  const { rows } = await sql().query(
    "select id from public.transfers where submission_id = $1 and kind = 'task_completion'",
    [submissionId],
  );
  return Number(rows[0]?.id);
};
const walletIdOf = async (userId: string, kind = 'user'): Promise<string> =>
  (await sql().query('select id from public.wallets where owner_user_id = $1 and kind = $2', [userId, kind])).rows[0]
    ?.id;

async function paid(owner: Owner) {
  const member = await newMember();
  const quest = await newQuest(owner, { task: { reward_points: 100, max_completions: 2 } });
  const submission = await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: randomUUID() }));
  return { owner, member, quest, submission, transfer: await transferOf(submission.id) };
}

describe('reverse_transfer', () => {
  test('TRUST-23 TRUST-12 reverses an approval after its quest is deleted: the points return to the project', async () => {
    const [admin, { owner, member, quest, submission, transfer }] = [
      await newAdmin(),
      await paid(await newCheckedOwner()),
    ];
    await unwrap(owner.client.rpc('delete_campaign', { p_campaign_id: quest.campaign.id }));
    const reversal = await unwrap(reverse(admin, transfer));
    expect(reversal).toMatchObject({
      kind: 'reversal',
      points: 100,
      description: 'Reversed: Task completion: Try the product',
      trial_points: 100,
      submission_id: submission.id,
    });
    const audited = await sql().query('select note from public.audit_log where subject_id = $1', [String(transfer)]);
    expect(audited.rows).toEqual([{ note: 'Copied' }]);
    expect(await walletOf(member.id)).toEqual({ points: 0, lifetime: 0 });
    expect(await eventsOf(member, 'PointsCorrected')).toMatchObject([{ payload: { points: -100 } }]);
    expect((await projectPoints(owner.startup.id)).free).toBe(500);
    expect(await changesNothing(() => refusal(reverse(admin, transfer)))).toEqual({
      status: 409,
      code: 'ALREADY_REVERSED',
      message: 'These points have already been taken back',
    });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-23 the ledger says which payments have been taken back, to the admin and to the member', async () => {
    const [admin, owner] = [await newAdmin(), await newCheckedOwner()];
    const { member, quest, transfer } = await paid(owner);
    const credit = { p_user_id: member.id, p_points: 30, p_description: 'Task completion elsewhere' };
    const grant = Number(await unwrap(asService().rpc('credit_points_safe', credit)));
    const wallet = await walletIdOf(member.id);
    const listed = async ({ client }: Member) =>
      Object.fromEntries(
        (await unwrap(client.rpc('list_transactions', { p_wallet_id: wallet }))).map((row) => [
          row.kind === 'reversal' ? 'reversal' : row.transfer_id,
          row.is_reversed,
        ]),
      );
    expect(await listed(admin)).toEqual({ [transfer]: false, [grant]: false });
    await unwrap(reverse(admin, transfer));
    expect(await listed(admin)).toEqual({ [transfer]: true, [grant]: false, reversal: false });
    await unwrap(owner.client.rpc('delete_campaign', { p_campaign_id: quest.campaign.id }));
    await unwrap(reverse(admin, grant));
    expect(await listed(member)).toEqual({ [transfer]: true, [grant]: true, reversal: false });
  });

  test("TRUST-23 waits for nobody else's payments", async () => {
    const [admin, owner, bystander] = [await newAdmin(), await newCheckedOwner(), await newMember()];
    const [kept, deleted] = [await paid(owner), await paid(await newCheckedOwner())];
    await unwrap(deleted.owner.client.rpc('delete_campaign', { p_campaign_id: deleted.quest.campaign.id }));
    await rolledBack(async (client) => {
      await client.query('select 1 from public.wallets where user_id = $1 for update', [bystander.id]);
      for (const { transfer } of [kept, deleted]) await unwrap(reverse(admin, transfer));
    });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-23 rejects the submission if it still exists, and frees its slot', async () => {
    const [admin, { member, submission, quest, transfer }] = [await newAdmin(), await paid(await newCheckedOwner())];
    await unwrap(reverse(admin, transfer));
    expect(await eventsOf(member, 'SubmissionReversed')).toMatchObject([{ payload: { points: 100 } }]);
    const { rows } = await sql().query(
      'select s.status, t.approved_count from public.submissions s join public.tasks t on t.id = s.task_id where s.id = $1',
      [submission.id],
    );
    expect(rows).toEqual([{ status: 'rejected', approved_count: 0 }]);
    expect(await projectPoints(quest.campaign.startup_id, quest.campaign.id)).toEqual({ free: 300, reserved: 200 });
    expect(await refusal(reverse(admin, transfer))).toMatchObject({ code: 'ALREADY_REVERSED' });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-23 C-75 an approval that paid no points, only what the project gives, is taken back, too', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const { taskId } = await newQuest(await newCheckedOwner(), {
      campaign: { custom_reward_title: 'Mug', custom_reward_description: 'A mug' },
      task: { reward_points: 0 },
    });
    const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: randomUUID() }));
    const reversal = { p_submission_id: id, p_note: 'Copied' };
    expect(await unwrap(admin.client.rpc('reverse_submission', reversal))).toMatchObject({ status: 'rejected' });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-23 TRUST-02 a proof sent from another time zone is taken back like any other, and once', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const quest = await newQuest(await newCheckedOwner(), { task: { reward_points: 100, max_completions: 2 } });
    const proof = member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' });
    // Anybody may ask the API for a time zone; what a payment is known by must not follow it.
    const { id } = await unwrap(proof.setHeader('Prefer', 'timezone=Asia/Tokyo'));
    const credit = { p_user_id: member.id, p_points: 100, p_description: 'Grant' };
    await unwrap(asService().rpc('credit_points_safe', credit));
    const transfer = await transferOf(id);
    await unwrap(reverse(admin, transfer));
    expect(await unwrap(member.client.from('submissions').select('status').single())).toEqual({ status: 'rejected' });
    expect(await refusal(reverse(admin, transfer))).toMatchObject({ code: 'ALREADY_REVERSED' });
    expect((await walletOf(member.id)).points).toBe(100);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('a proof that is taken back in a session with another style of dates is taken back once', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const quest = await newQuest(await newCheckedOwner(), { task: { reward_points: 100, max_completions: 2 } });
    const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
    await unwrap(
      asService().rpc('credit_points_safe', { p_user_id: member.id, p_points: 100, p_description: 'Grant' }),
    );
    const transfer = await transferOf(id);
    // An operator's psql may have one (PGDATESTYLE), and so may a role.
    const session = await sql().connect();
    try {
      await session.query('begin');
      await session.query("set local datestyle to 'German'");
      await actAs(session, admin);
      await session.query("select public.reverse_submission($1, 'Copied')", [id]);
      await session.query('commit');
    } finally {
      await session.query('rollback');
      session.release();
    }
    expect(await refusal(reverse(admin, transfer))).toMatchObject({ code: 'ALREADY_REVERSED' });
    expect((await walletOf(member.id)).points).toBe(100);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-23 TRUST-02 an approval of the demo data is taken back like any other, and once', async () => {
    const admin = await newAdmin();
    const { rows } = await sql().query<{ submission: string; transfer: string; user: string }>(
      `select s.id as submission, t.id as transfer, s.user_id as "user"
       from public.submissions s join public.transfers t on t.submission_id = s.id join public.wallets w on w.user_id = s.user_id
       where s.submitted_at < now() - interval '1 day' and s.status = 'approved' and w.points >= t.points * 2 order by s.id limit 1`,
    );
    const [demo] = rows;
    const before = (await walletOf(demo?.user ?? '')).points;
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: demo?.submission ?? '', p_note: 'Copied' }));
    const left = (await walletOf(demo?.user ?? '')).points;
    expect(left).toBeLessThan(before);
    expect(await refusal(reverse(admin, Number(demo?.transfer)))).toMatchObject({ code: 'ALREADY_REVERSED' });
    expect((await walletOf(demo?.user ?? '')).points).toBe(left);
  });

  test('TRUST-08 C-08 what was taken back is not paid again for the next proof, in beta either: a person decides', async () => {
    const [admin, { owner, member, quest, submission, transfer }] = [
      await newAdmin(),
      await paid(await newCheckedOwner()),
    ];
    const taken = { p_submission_id: submission.id, p_note: 'Copied' };
    const reversed = await unwrap(admin.client.rpc('reverse_submission', taken));
    expect(Date.parse(reversed.reviewed_at ?? '')).toBeGreaterThan(Date.parse(submission.reviewed_at ?? ''));
    expect(reversed).toMatchObject({ reviewed_by: 'questboard', review_note: 'Copied', rejection_reason: 'other' });
    const again = member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done, really' });
    expect(await unwrap(again)).toMatchObject({ status: 'pending', reviewed_by: null });
    expect((await walletOf(member.id)).points).toBe(0);
    const approval = { p_submission_id: submission.id, p_decision: 'approve' };
    await unwrap(owner.client.rpc('review_submission', approval));
    // The first payment was taken back already; naming it takes nothing of the second.
    expect(await changesNothing(() => refusal(reverse(admin, transfer)))).toMatchObject({ code: 'ALREADY_REVERSED' });
    expect((await walletOf(member.id)).points).toBe(100);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-08 TRUST-02 two admins who take the same approval back at once do it once', async () => {
    const [admin, other, { member, submission }] = [
      await newAdmin(),
      await newAdmin(),
      await paid(await newCheckedOwner()),
    ];
    const first = await sql().connect();
    try {
      await first.query('begin');
      await actAs(first, admin);
      await first.query("select public.reverse_submission($1, 'Copied')", [submission.id]);
      const reversal = { p_submission_id: submission.id, p_note: 'Copied' };
      const second = refusal(other.client.rpc('reverse_submission', reversal));
      await untilWaiting();
      await first.query('commit');
      expect(await second).toMatchObject({ status: 409, code: 'NOT_APPROVED' });
    } finally {
      await first.query('rollback');
      first.release();
    }
    expect((await walletOf(member.id)).points).toBe(0);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-23 a reversed payment cannot be reversed again after its quest is deleted', async () => {
    const [admin, { owner, quest, submission, transfer }] = [await newAdmin(), await paid(await newCheckedOwner())];
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: submission.id, p_note: 'Copied' }));
    await unwrap(owner.client.rpc('delete_campaign', { p_campaign_id: quest.campaign.id }));
    expect(await changesNothing(() => refusal(reverse(admin, transfer)))).toMatchObject({ code: 'ALREADY_REVERSED' });
  });

  test('TRUST-23 C-80 the bonuses that an approval released are held again, also once its quest is gone', async () => {
    const [admin, { referrer, invited }, owner] = [await newAdmin(), await referral(), await newCheckedOwner()];
    const { taskId, campaign } = await newQuest(owner);
    const { id } = await approvedBy(owner, invited, taskId);
    await owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }).throwOnError();
    expect((await balanceOf(referrer.id)).held).toBe(0);
    await unwrap(reverse(admin, await transferOf(id)));
    expect([(await balanceOf(referrer.id)).held, (await balanceOf(invited.id)).held]).toEqual([500, 250]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test("TRUST-23 a dropped task of a running quest: the quest's figures follow", async () => {
    const [admin, { owner, quest, transfer }] = [await newAdmin(), await paid(await newCheckedOwner())];
    await unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: quest.campaign.id,
        p_campaign: { title: 'Q', summary: 'S', budget_points: 100 },
        p_tasks: [],
      }),
    );
    await unwrap(reverse(admin, transfer));
    expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
  });

  test("TRUST-23 C-80 a bonus returns to where it came from, held or not, and the referral's figures follow", async () => {
    const [admin, referrer, invited] = [await newAdmin(), await newMember(), await newMember()];
    const { code } = await unwrap(referrer.client.rpc('create_user_referral_code'));
    const { id } = await unwrap(invited.client.rpc('process_referral_signup', { p_user_id: invited.id, p_code: code }));
    const { rows } = await sql().query('select id from public.transfers where referral_id = $1 order by id', [id]);
    for (const row of rows)
      expect(await unwrap(reverse(admin, Number(row.id), 'Farmed'))).toMatchObject({ trial_points: null });
    for (const person of [referrer, invited]) expect(await balanceOf(person.id)).toEqual({ available: 0, held: 0 });
    expect(await holdsOf(referrer.id)).toEqual([{ reason: 'referral', points: 500, state: 'reversed' }]);
    const locked = await sql().query('select private.referral_holds_on($1) as wallets', [invited.id]);
    expect(locked.rows).toEqual([{ wallets: [] }]);
    expect(await unwrap(referrer.client.rpc('list_own_referrals'))).toMatchObject([{ held_points: 0 }]);
    const stats = await unwrap(referrer.client.rpc('get_user_referral_stats', { p_user_id: referrer.id }));
    expect(stats).toMatchObject([{ successful_referrals: 1, total_points_earned: 0, held_points: 0 }]);
    expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
    expect(await refusal(reverse(admin, Number(rows[0]?.id)))).toMatchObject({ code: 'ALREADY_REVERSED' });
  });

  test('TRUST-23 SEC-15 admins only, with a reason, never their own, and never what was spent or not earned', async () => {
    const [admin, { member, transfer }] = [await newAdmin(), await paid(await newCheckedOwner())];
    const grant = await unwrap(
      asService().rpc('credit_points_safe', { p_user_id: admin.id, p_points: 5, p_description: 'Task completion: x' }),
    );
    const other = await unwrap(
      asService().rpc('credit_points_safe', { p_user_id: member.id, p_points: 5, p_description: 'Grant' }),
    );
    await unwrap(asService().rpc('debit_points_safe', { p_user_id: member.id, p_points: 6, p_description: 'spent' }));
    await changesNothing(async () => {
      expect(await refusal(reverse(member, transfer))).toEqual(FORBIDDEN);
      expect((await reverse({ ...member, client: asAnon() }, transfer)).status).toBe(401);
      expect(await refusal(reverse(admin, transfer, ' '))).toMatchObject({ status: 400, code: 'REASON_REQUIRED' });
      expect(await refusal(reverse(admin, 987_654_321))).toMatchObject({ status: 404, code: 'TRANSFER_NOT_FOUND' });
      expect(await refusal(reverse(admin, grant))).toEqual(OWN_MATTER);
      expect(await refusal(reverse(admin, other))).toMatchObject({ status: 409, code: 'NOT_REVERSIBLE' });
      expect(await refusal(reverse(admin, transfer))).toMatchObject({ status: 409, code: 'INSUFFICIENT_POINTS' });
    });
  });
});

describe('adjust_points', () => {
  const adjust = (admin: Member, walletId: string, points: number, key: string = randomUUID(), reason = 'By a fault') =>
    admin.client.rpc('adjust_points', {
      p_wallet_id: walletId,
      p_points: points,
      p_reason: reason,
      p_idempotency_key: key,
    });

  test("TRUST-23 TRUST-21 adds and removes a member's points, audited, once per key", async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const [wallet, key] = [await walletIdOf(member.id), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => unwrap(adjust(admin, wallet, 50, key))));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers[0]).toMatchObject({ kind: 'adjustment', points: 50, description: 'Correction: By a fault' });
    await unwrap(adjust(admin, wallet, -20));
    expect(await walletOf(member.id)).toEqual({ points: 30, lifetime: 50 });
    const { rows } = await sql().query(
      `select l.before ->> 'points' as before, l.after ->> 'points' as after, l.note, t.points::integer from public.audit_log l
       join public.transfers t on t.id = (l.after ->> 'transfer_id')::bigint and l.after ->> 'user_id' = $2
       where l.subject_id = $1 order by l.id`,
      [wallet, member.id],
    );
    expect(rows).toEqual([
      { before: '0', after: '50', note: 'By a fault', points: 50 },
      { before: '50', after: '30', note: 'By a fault', points: 20 },
    ]);
    const elsewhere = await walletIdOf((await newMember()).id);
    for (const another of [
      adjust(admin, wallet, 51, key),
      adjust(admin, wallet, -50, key),
      adjust(admin, elsewhere, 50, key),
    ]) {
      expect(await refusal(another)).toMatchObject({ status: 409, code: 'CORRECTION_KEY_REUSED' });
    }
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-23 TRUST-05 never below zero; available points are taken before held ones', async () => {
    const [admin, { member }] = [await newAdmin(), await paid(await newOwner())];
    const wallet = await walletIdOf(member.id);
    for (const points of [39, 1]) await unwrap(adjust(admin, wallet, points));
    expect(await changesNothing(() => refusal(adjust(admin, wallet, -141)))).toMatchObject({
      status: 409,
      code: 'INSUFFICIENT_POINTS',
    });
    await unwrap(adjust(admin, wallet, -70));
    expect(await balanceOf(member.id)).toEqual({ available: 0, held: 70 });
    await unwrap(adjust(admin, wallet, -70));
    expect(await holdsOf(member.id)).toEqual([{ reason: 'trial', points: 70, state: 'reversed' }]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-23 C-94 of held points, those that came last are taken first', async () => {
    const [admin, { member }, later] = [await newAdmin(), await paid(await newOwner()), await newOwner()];
    const { taskId } = await newQuest(later, { task: { reward_points: 100 } });
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: randomUUID() }));
    await unwrap(adjust(admin, await walletIdOf(member.id), -70));
    expect((await holdsOf(member.id)).map(({ points }) => points)).toEqual([100, 30]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test("TRUST-23 adjusts a project's wallet too; refuses a reserve, an unknown wallet and the caller's own", async () => {
    const [admin, owner] = [await newAdmin(), await newOwner()];
    await newQuest(owner);
    await unwrap(adjust(admin, await walletIdOf(owner.id, 'startup'), 25));
    expect((await projectPoints(owner.startup.id)).free).toBe(475);
    const [reserve, own, member] = [
      await walletIdOf(owner.id, 'reserve'),
      await walletIdOf(admin.id),
      await walletIdOf(owner.id),
    ];
    await changesNothing(async () => {
      for (const id of [reserve, randomUUID()]) {
        expect(await refusal(adjust(admin, id, 5))).toMatchObject({ status: 404, code: 'WALLET_NOT_FOUND' });
      }
      expect(await refusal(adjust(admin, own, 5))).toEqual(OWN_MATTER);
      expect(await refusal(adjust(owner, member, 5))).toEqual(FORBIDDEN);
      expect(await refusal(adjust(admin, member, 5, randomUUID(), ' '))).toMatchObject({ code: 'REASON_REQUIRED' });
      expect(await refusal(adjust(admin, member, 5, randomUUID(), 'x'.repeat(401)))).toMatchObject({
        code: 'TEXT_TOO_LONG',
      });
      expect(await refusal(adjust(admin, member, 5, ' '))).toMatchObject({ code: 'IDEMPOTENCY_KEY_REQUIRED' });
      const long = adjust(admin, member, 5, 'x'.repeat(101));
      expect(await refusal(long)).toMatchObject({ code: 'INVALID_IDEMPOTENCY_KEY' });
      for (const points of [0, 1_000_001, -1_000_001]) {
        expect(await refusal(adjust(admin, member, points))).toMatchObject({ status: 400, code: 'INVALID_ADJUSTMENT' });
      }
    });
    for (const points of [1_000_000, -1_000_000]) await unwrap(adjust(admin, member, points));
    expect(await ledgerProblems()).toEqual([]);
  });
});
