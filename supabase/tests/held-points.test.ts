import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asService, asUser, sql } from '../../local/testing/clients.ts';
import { ConnectionPool, tally } from './support/connection-pool.ts';
import { whileDamaged } from './support/damage.ts';
import {
  FORBIDDEN,
  grantPoints,
  ledgerProblems,
  type Member,
  newAdmin,
  newCheckedOwner,
  newMember,
  newOwner,
  newQuest,
  outsideBeta,
  projectPoints,
  refusal,
  submitProof,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { approvedBy, balanceOf, flag, holdsOf, letDaysPass } from './support/holds.ts';
import { tick } from './support/periodic-jobs.ts';
import { changesNothing } from './support/raw.ts';
import { newReward, redeem } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { activate } from './support/subscriptions.ts';

let pool: ConnectionPool;

setUpDatabase();
beforeAll(async () => {
  pool = await ConnectionPool.open(50);
});
afterAll(() => pool.leave());

describe('points from a trial budget', () => {
  /** A project verified automatically in beta, and a member whom it has paid 200 points. */
  async function trialPayment() {
    const [owner, member] = [await newOwner(), await newMember()];
    const quest = await newQuest(owner, { task: { reward_points: 200, max_completions: 2 } });
    const submission = await unwrap(submitProof(member, quest.taskId));
    return { owner, member, quest, submission };
  }

  test("C-94 TRUST-16 C-03 farming one's own trial budget through a second account ends with nothing to redeem", async () => {
    const [owner, reward] = [await newOwner(), await newReward({ points_cost: 1 })];
    const { taskId } = await newQuest(owner, { task: { reward_points: 1, max_completions: 500 } });
    const second = await newMember('second');
    expect(await unwrap(submitProof(second, taskId))).toMatchObject({ status: 'approved' });
    const big = await newOwner();
    const quest = await newQuest(big, { task: { reward_points: 500, max_completions: 1 } });
    await unwrap(submitProof(second, quest.taskId));
    expect(await walletOf(second.id)).toEqual({ points: 501, lifetime: 501 });
    expect(await balanceOf(second.id)).toEqual({ available: 0, held: 501 });
    expect(await refusal(redeem(second, reward))).toMatchObject({ status: 409, code: 'POINTS_HELD' });
    expect(await ledgerProblems()).toEqual([]);
  });

  test("C-94 an admin's review of the project releases them, once, and later payments are not held", async () => {
    const { owner, member, quest } = await trialPayment();
    const admin = await newAdmin();
    expect(await balanceOf(member.id)).toEqual({ available: 0, held: 200 });
    const check = (who: Member) => who.client.rpc('mark_startup_checked', { p_startup_id: owner.startup.id });
    expect(await changesNothing(() => refusal(check(owner)))).toEqual(FORBIDDEN);
    const pending = await outsideBeta(() => newOwner());
    const early = admin.client.rpc('mark_startup_checked', { p_startup_id: pending.startup.id });
    expect(await changesNothing(() => refusal(early))).toMatchObject({ status: 409, code: 'STARTUP_UNVERIFIED' });
    await unwrap(check(admin));
    await unwrap(check(admin));
    expect(await balanceOf(member.id)).toEqual({ available: 200, held: 0 });
    expect(await holdsOf(member.id)).toEqual([{ reason: 'trial', points: 200, state: 'project_checked' }]);
    const later = await newMember();
    await unwrap(submitProof(later, quest.taskId));
    expect(await balanceOf(later.id)).toEqual({ available: 200, held: 0 });
    const { rows } = await sql().query(
      "select count(*)::integer as lines from public.audit_log where action = 'startup.check' and subject_id = $1",
      [owner.startup.id],
    );
    expect(rows).toEqual([{ lines: 1 }]);
  });

  test("C-94 an admin's approval outside beta counts as such a review", () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, admin, member] = [await newOwner(), await newAdmin(), await newMember()];
      await unwrap(admin.client.rpc('set_startup_status', { p_startup_id: owner.startup.id, p_status: 'verified' }));
      await approvedBy(owner, member, (await newQuest(owner)).taskId);
      expect(await balanceOf(member.id)).toEqual({ available: 10, held: 0 });
    }));

  test('C-94 C-91 such a review ends with the verification: what is paid after a revocation is held', () =>
    outsideBeta(async () => {
      const [owner, admin, member] = [await newCheckedOwner(), await newAdmin(), await newMember()];
      const { id } = await unwrap(submitProof(member, (await newQuest(owner)).taskId));
      const verdict = { p_startup_id: owner.startup.id, p_reason: 'Pays its own accounts' };
      await unwrap(admin.client.rpc('revoke_verification', verdict));
      await unwrap(admin.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
      expect(await balanceOf(member.id)).toEqual({ available: 0, held: 10 });
    }));

  test('C-94 a paid plan releases them, and so do purchased points', async () => {
    const [plan, points] = [await trialPayment(), await trialPayment()];
    await unwrap(
      asService().rpc('activate_subscription', {
        p_startup_id: plan.owner.startup.id,
        p_plan_id: 'og_lifetime',
        p_event_id: `evt_${randomUUID()}`,
        p_payment_ref: `pi_${randomUUID()}`,
        p_amount_cents: 9900,
      }),
    );
    expect(await holdsOf(plan.member.id)).toEqual([{ reason: 'trial', points: 200, state: 'project_paid' }]);
    await unwrap(
      asService().rpc('credit_point_purchase', {
        p_startup_id: points.owner.startup.id,
        p_pack_id: 'points_small',
        p_points: 100,
        p_event_id: `evt_${randomUUID()}`,
        p_payment_ref: `pi_${randomUUID()}`,
        p_amount_cents: 4900,
        p_price_cents: 4900,
      }),
    );
    expect(await holdsOf(points.member.id)).toEqual([{ reason: 'trial', points: 200, state: 'project_paid' }]);
  });

  test('C-94 C-20 a wallet whose points cannot be released keeps neither the plan nor other members waiting', async () => {
    const { owner, member, quest } = await trialPayment();
    const broken = await newMember('broken');
    await unwrap(submitProof(broken, quest.taskId));
    const damaged = `new.user_id = '${broken.id}'`;
    await whileDamaged('update on public.wallets', damaged, async () => {
      const paid = activate(owner, `evt_${randomUUID()}`, `pi_${randomUUID()}`);
      expect(await unwrap(paid)).toMatchObject({ activated: true });
    });
    expect([(await balanceOf(member.id)).held, (await balanceOf(broken.id)).held]).toEqual([0, 200]);
    await unwrap(broken.client.rpc('sync_current_user', {}));
    expect((await balanceOf(broken.id)).held).toBe(0);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-94 seven days without a flag release them: by the schedule, or when the member redeems', async () => {
    const [scheduled, lazy, flagged] = [await trialPayment(), await trialPayment(), await trialPayment()];
    await flag(flagged.submission.id);
    const reward = await newReward({ points_cost: 200 });
    await letDaysPass(6);
    await tick();
    expect(await refusal(redeem(lazy.member, reward))).toMatchObject({ code: 'POINTS_HELD' });
    expect((await balanceOf(scheduled.member.id)).held).toBe(200);
    await letDaysPass(1);
    await unwrap(redeem(lazy.member, reward));
    await tick();
    expect(await holdsOf(scheduled.member.id)).toEqual([{ reason: 'trial', points: 200, state: 'time_passed' }]);
    expect(await holdsOf(flagged.member.id)).toEqual([{ reason: 'trial', points: 200, state: 'open' }]);
    const { rows } = await sql().query(
      `select round(extract(epoch from check_at - now()) / 3600)::integer as hours from public.point_holds where user_id = $1`,
      [flagged.member.id],
    );
    expect(rows).toEqual([{ hours: 6 }]);
    const nextLook = async () =>
      (await sql().query('select check_at from public.point_holds where user_id = $1', [flagged.member.id])).rows;
    const planned = await nextLook();
    await sql().query('select private.release_holds(w.id) from public.wallets w where w.user_id = $1', [
      flagged.member.id,
    ]);
    expect(await nextLook()).toEqual(planned);
    await sql().query(
      "update public.submission_flags set dismissed_at = now(), dismissed_by = 'x', dismissal_reason = 'x' where submission_id = $1",
      [flagged.submission.id],
    );
    await letDaysPass(1);
    await tick();
    expect((await balanceOf(flagged.member.id)).held).toBe(0);
    expect(await ledgerProblems()).toEqual([]);
  });

  test("C-94 also after the quest and its project are deleted, or the quest is held; an admin's rejection stops the clock", async () => {
    const [gone, rejected, held] = [await trialPayment(), await trialPayment(), await trialPayment()];
    await unwrap(gone.owner.client.rpc('delete_campaign', { p_campaign_id: gone.quest.campaign.id }));
    await unwrap(gone.owner.client.rpc('delete_startup_profile', { p_startup_id: gone.owner.startup.id }));
    const verdict = { p_startup_id: rejected.owner.startup.id, p_reason: 'No such company' };
    const admin = await newAdmin();
    await unwrap(admin.client.rpc('revoke_verification', verdict));
    // Says nothing about the project.
    const doubt = { p_campaign_id: held.quest.campaign.id, p_reason: 'The link is dead' };
    await unwrap(admin.client.rpc('unpublish_campaign', doubt));
    await letDaysPass(8);
    await tick();
    for (const { member } of [gone, held]) expect((await balanceOf(member.id)).held).toBe(0);
    expect((await balanceOf(rejected.member.id)).held).toBe(200);
  });

  test('C-94 TRUST-18 a suspension of the owner stops the clock, also once the account is deleted, until it is lifted', async () => {
    const [admin, suspended, gone] = [await newAdmin(), await trialPayment(), await trialPayment()];
    const unforgiven = await trialPayment();
    for (const { owner } of [suspended, gone, unforgiven]) {
      await unwrap(admin.client.rpc('suspend_user', { p_user_id: owner.id, p_reason: 'Pays its own accounts' }));
    }
    for (const { owner } of [gone, unforgiven]) {
      await asService().rpc('anonymise_user', { p_user_id: owner.id }).throwOnError();
    }
    await letDaysPass(8);
    await tick();
    for (const { member } of [suspended, gone]) expect((await balanceOf(member.id)).held).toBe(200);
    for (const { owner } of [suspended, gone]) {
      await unwrap(admin.client.rpc('lift_suspension', { p_user_id: owner.id, p_note: 'A mistake' }));
    }
    await letDaysPass(1);
    await tick();
    for (const { member } of [suspended, gone]) expect((await balanceOf(member.id)).held).toBe(0);
    expect((await balanceOf(unforgiven.member.id)).held).toBe(200);
  });

  test('C-94 C-97 an admin’s refusal outlives the project: deleting it, or making it again, starts no clock', async () => {
    const [admin, { owner, member, quest }] = [await newAdmin(), await trialPayment()];
    await unwrap(owner.client.rpc('delete_campaign', { p_campaign_id: quest.campaign.id }));
    const verdict = { p_startup_id: owner.startup.id, p_reason: 'Pays its own accounts' };
    await unwrap(admin.client.rpc('revoke_verification', verdict));
    await unwrap(owner.client.rpc('delete_startup_profile', { p_startup_id: owner.startup.id }));
    await letDaysPass(8);
    await tick();
    expect((await balanceOf(member.id)).held).toBe(200);
    const remake = { p_name: `Again ${owner.name}`, p_industry: 'SaaS' };
    const { id } = await unwrap(owner.client.rpc('create_startup_profile', remake));
    await letDaysPass(1);
    await tick();
    expect((await balanceOf(member.id)).held).toBe(200);
    const approval = { p_startup_id: id, p_status: 'verified', p_note: 'Explained' };
    await unwrap(admin.client.rpc('set_startup_status', approval));
    expect((await balanceOf(member.id)).held).toBe(0);
  });

  test('C-94 C-97 nor does a project that the beta verifies later, for an account that turns out to be the same person’s', async () => {
    const [admin, { owner, member }] = [await newAdmin(), await trialPayment()];
    const verdict = { p_startup_id: owner.startup.id, p_reason: 'Pays its own accounts' };
    await unwrap(admin.client.rpc('revoke_verification', verdict));
    const second = await newMember('second', { email: null });
    const request = { p_name: `Again ${owner.name}`, p_industry: 'SaaS' };
    const { id, status } = await unwrap(second.client.rpc('create_startup_profile', request));
    expect(status).toBe('verified');
    const client = await asUser({ ...second, email: owner.email.replace('@', '+x@') });
    await unwrap(client.rpc('sync_current_user', {}));
    await letDaysPass(8);
    await tick();
    expect((await balanceOf(member.id)).held).toBe(200);
    await unwrap(client.rpc('delete_startup_profile', { p_startup_id: id }));
    expect(await unwrap(client.rpc('create_startup_profile', request))).toMatchObject({
      status: 'pending',
      review_note: 'Pays its own accounts',
    });
  });

  test('C-94 C-01 trial points are spent first and are tracked through reserve, release and reversal', async () => {
    const [owner, admin, member] = [await newOwner(), await newAdmin(), await newMember()];
    const trialOf = async () => {
      const { rows } = await sql().query<{ kind: string; trial: number }>(
        'select kind, trial_points::integer as trial from public.wallets where owner_user_id = $1 and kind <> $2 order by kind',
        [owner.id, 'user'],
      );
      return Object.fromEntries(rows.map(({ kind, trial }) => [kind, trial]));
    };
    expect(await trialOf()).toEqual({ startup: 500 });
    const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 100, max_completions: 4 } });
    expect(await trialOf()).toEqual({ startup: 100, reserve: 400 });
    await sql().query("select private.transfer(null, private.startup_wallet($1, $2), 300, 'adjustment', 'More')", [
      owner.startup.id,
      owner.id,
    ]);
    const { id } = await unwrap(submitProof(member, taskId));
    expect(await trialOf()).toEqual({ startup: 100, reserve: 300 });
    await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
    expect(await trialOf()).toEqual({ startup: 400, reserve: 0 });
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Wrong' }));
    expect(await trialOf()).toEqual({ startup: 500, reserve: 0 });
    expect(await projectPoints(owner.startup.id)).toEqual({ free: 800, reserved: 0 });
    expect(await holdsOf(member.id)).toEqual([{ reason: 'trial', points: 100, state: 'reversed' }]);
    expect(await walletOf(member.id)).toEqual({ points: 0, lifetime: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-08 C-87 a reversal takes the held points of its own payment and leaves the others', async () => {
    const { member, submission } = await trialPayment();
    const other = await trialPayment();
    await unwrap(submitProof(member, other.quest.taskId));
    await grantPoints(member, 30);
    const admin = await newAdmin();
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: submission.id, p_note: 'Copied' }));
    expect(await balanceOf(member.id)).toEqual({ available: 30, held: 200 });
    expect(await walletOf(member.id)).toEqual({ points: 230, lifetime: 230 });
    expect(await holdsOf(member.id)).toEqual([
      { reason: 'trial', points: 200, state: 'reversed' },
      { reason: 'trial', points: 200, state: 'open' },
    ]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-94 a correction takes from what is held still, not from what was held for a reversed payment', async () => {
    const { member } = await trialPayment();
    const taken = await newQuest(await newOwner(), { task: { reward_points: 200, max_completions: 2 } });
    const { id } = await unwrap(submitProof(member, taken.taskId));
    const admin = await newAdmin();
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    const { rows } = await sql().query('select id from public.wallets where user_id = $1', [member.id]);
    const correction = {
      p_wallet_id: rows[0].id,
      p_points: -50,
      p_reason: 'By a fault',
      p_idempotency_key: randomUUID(),
    };
    await unwrap(admin.client.rpc('adjust_points', correction));
    expect(await balanceOf(member.id)).toEqual({ available: 0, held: 150 });
    expect(await holdsOf(member.id)).toEqual([
      { reason: 'trial', points: 150, state: 'open' },
      { reason: 'trial', points: 200, state: 'reversed' },
    ]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-02 TRUST-16 fifty callers who all found the same hold open release it once', async () => {
    const [{ member }, other] = [await trialPayment(), await trialPayment()];
    await unwrap(submitProof(member, other.quest.taskId));
    const { rows } = await sql().query<{ id: string; wallet_id: string }>(
      'select id, wallet_id from public.point_holds where user_id = $1 order by id limit 1',
      [member.id],
    );
    const release = () =>
      sql().query<{ points: string }>(
        "select private.close_holds($1, array[$2::bigint], 'project_checked') as points",
        [rows[0]?.wallet_id, rows[0]?.id],
      );
    const answers = await Promise.all(Array.from({ length: 50 }, release));
    expect(answers.map((answer) => Number(answer.rows[0]?.points)).sort((a, b) => b - a)).toEqual([
      200,
      ...Array(49).fill(0),
    ]);
    expect(await balanceOf(member.id)).toEqual({ available: 200, held: 200 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-02 TRUST-16 fifty concurrent releases release once, and the reconciliation notices an uncounted hold', async () => {
    const { member } = await trialPayment();
    await letDaysPass(8);
    const { rows } = await sql().query<{ id: string }>('select id from public.wallets where user_id = $1', [member.id]);
    const reward = await newReward({ points_cost: 200 });
    // A redemption scans for a second only, and what it does not get to keeps the points held.
    await sql().query('select private.scan_submissions(null)');
    const outcomes = await pool.together(50, (index) =>
      index % 2
        ? [member.id, 'public.sync_current_user()', []]
        : [member.id, 'public.redeem_reward_safe($1, $2)', [reward, randomUUID()]],
    );
    expect(tally(outcomes)).toEqual({ ok: 26, REWARD_TOO_EXPENSIVE: 24 });
    expect(await balanceOf(member.id)).toEqual({ available: 0, held: 0 });
    expect(await ledgerProblems()).toEqual([]);
    await grantPoints(member, 10);
    await sql().query('update public.wallets set held_points = 1 where id = $1', [rows[0]?.id]);
    // The skipped days are missing from the daily and weekly sums.
    const problems = asService().rpc('reconcile_ledger').not('problem', 'in', '(ledger_day,member_week)');
    expect(await unwrap(problems)).toEqual([
      { problem: 'wallet_held_points', subject_type: 'wallet', subject_id: rows[0]?.id, expected: 0, actual: 1 },
    ]);
    await sql().query('update public.wallets set held_points = 0 where id = $1', [rows[0]?.id]);
  });
});

test('C-94 the member reads why points are held and until when, but not which account they depend on', async () => {
  const [owner, member] = [await newOwner(), await newMember()];
  const { taskId } = await newQuest(owner);
  await unwrap(submitProof(member, taskId));
  const columns = 'reason, points, due_at, released_at, reversed_at';
  const [hold] = await unwrap(member.client.from('point_holds').select(columns));
  expect(hold).toMatchObject({ reason: 'trial', points: 10, released_at: null, reversed_at: null });
  const days = (new Date(hold?.due_at ?? 0).getTime() - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThan(7.1);
  expect((await member.client.from('point_holds').select('depends_on')).status).toBe(403);
});
