import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  newAdmin,
  newCheckedOwner,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  projectPoints,
  refusal,
  SUSPENDED,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { planted } from './support/planted.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

describe('reconcile_ledger', () => {
  test('TRUST-01 finds nothing wrong, and a planted drift of one point wherever it is planted', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { campaign, taskId } = await newQuest(owner);
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
    expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
    const kinds = async (damage: string, values: unknown[]) =>
      (await planted(damage, values)).map((row) => row.problem).sort();
    expect(
      await planted('update public.wallets set points = points + 1 where user_id = $1', [member.id]),
    ).toMatchObject([{ problem: 'wallet_points', subject_type: 'wallet', expected: '10', actual: '11' }]);
    expect(
      await kinds('update public.wallets set leaderboard_points = leaderboard_points - 1 where user_id = $1', [
        member.id,
      ]),
    ).toEqual(['wallet_leaderboard_points']);
    expect(await kinds('update public.wallets set points = points + 1 where campaign_id = $1', [campaign.id])).toEqual([
      'reserve_surplus',
      'wallet_points',
    ]);
    expect(
      await kinds('update public.wallets set held_points = held_points - 1 where user_id = $1', [member.id]),
    ).toEqual(['wallet_held_points']);
    expect(await kinds('update public.point_holds set reversed_at = now() where user_id = $1', [member.id])).toEqual([
      'wallet_held_points',
    ]);
    expect(
      await kinds('update public.wallets set trial_points = trial_points - 1 where campaign_id = $1', [campaign.id]),
    ).toEqual(['wallet_trial_points']);
    expect(await kinds('update public.tasks set pending_points = 501 where id = $1', [taskId])).toEqual([
      'promise_uncovered',
      'task_pending_points',
    ]);
    expect(
      await planted("delete from public.entries where user_id = $1 and type = 'credit'", [member.id]),
    ).toContainEqual(expect.objectContaining({ problem: 'transfer_unbalanced', expected: '2', actual: '1' }));
    const ofMember = 'select e.transfer_id from public.entries e where e.user_id = $1';
    expect(await kinds(`delete from public.transfers where id in (${ofMember})`, [member.id])).toContain(
      'transfer_unbalanced',
    );
    expect(
      await kinds(`update public.transfers set points = points + 1 where id in (${ofMember})`, [member.id]),
    ).toContain('wallet_points');
    expect(
      await kinds('update public.tasks set approved_count = approved_count + 1 where id = $1', [taskId]),
    ).toContain('task_approved_count');
    expect(await kinds('update public.campaigns set participant_count = 9 where id = $1', [campaign.id])).toEqual([
      'campaign_participant_count',
    ]);
    expect(await kinds("update public.submissions set status = 'rejected' where task_id = $1", [taskId])).toContain(
      'submission_payment',
    );
    expect(
      await planted("insert into private.counter_deltas (name, change) values ('industry:Moonshots', 1)", []),
    ).toEqual([
      { problem: 'count', subject_type: 'count', subject_id: 'industry:Moonshots', expected: '0', actual: '1' },
    ]);
    expect(await planted('delete from private.counter_deltas where true', [])).toContainEqual(
      expect.objectContaining({ problem: 'count', subject_id: 'verified_startups', actual: '0' }),
    );
    expect(
      await planted(
        "insert into private.ledger_daily values ('2020-01-01', 'user', 'adjustment', 'credit', 1, 5, now())",
        [],
      ),
    ).toEqual([
      {
        problem: 'ledger_day',
        subject_type: 'day',
        subject_id: '2020-01-01 user adjustment credit',
        expected: '0',
        actual: '5',
      },
    ]);
  });

  test('TRUST-01 finds each figure of a quest, a task or a wallet that differs by one', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { campaign, taskId } = await newQuest(owner);
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
    const quest = ['submission_count', 'approved_count', 'pending_count', 'kept_count', 'points_distributed'];
    for (const [subject, table, id, figures] of [
      ['campaign', 'campaigns', campaign.id, [...quest, 'task_count', 'open_reward_points', 'total_slots']],
      ['task', 'tasks', taskId, ['pending_count', 'kept_count', 'kept_points', 'raised_points']],
      ['wallet', 'wallets', member.id, ['lifetime_points']],
    ] as const) {
      const key = subject === 'wallet' ? 'user_id' : 'id';
      for (const figure of figures) {
        const found = await planted(`update public.${table} set ${figure} = ${figure} + 1 where ${key} = $1`, [id]);
        expect(found.map(({ problem }) => problem)).toContain(`${subject}_${figure}`);
      }
    }
  });

  test('TRUST-01 BEY-13 each task completed by a code or a call has exactly one record of it, and vice versa', async () => {
    const [owner, caller, member, starter] = [
      await newOwner(),
      await newMember(),
      await newMember(),
      await newMember(),
    ];
    await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
    const called = await newQuest(owner, { task: { verification: 'call', link_url: 'https://shop.example/' } });
    await unwrap(starter.client.rpc('start_task', { p_task_id: called.taskId }));
    const [started] = await unwrap(caller.client.rpc('start_task', { p_task_id: called.taskId }));
    const call = { p_startup_id: owner.startup.id, p_call_id: 'call', p_token: started?.token ?? '' };
    await unwrap(asService().rpc('complete_task_by_call', call));
    const other = await newOwner();
    const coded = await newQuest(other, { task: { verification: 'code', single_use_codes: ['LANTERN1'] } });
    await unwrap(member.client.rpc('submit_completion_code', { p_task_id: coded.taskId, p_code: 'LANTERN1' }));
    expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
    const found = async (damage: string, values: unknown[]) =>
      (await planted(damage, values))
        .map(({ problem, expected, actual }) => `${problem} ${expected} ${actual}`)
        .filter((line) => line.startsWith('verification'));
    const history = "public.submission_history where user_id = $1 and action = 'approved'";
    expect(await found(`delete from ${history}`, [caller.id])).toEqual([
      'verification_call 0 1',
      'verification_event 1 0',
    ]);
    const copied = `submission_id, campaign_id, user_id, action, actor_id, submitted_at`;
    expect(
      await found(`insert into public.submission_history (${copied}) select ${copied} from ${history}`, [member.id]),
    ).toEqual(['verification_code 1 2', 'verification_event 1 2']);
    expect(
      await found("update public.submissions set reviewed_by = 'project' where user_id = $1", [caller.id]),
    ).toEqual(['verification_event 0 1']);
    expect(await found('delete from private.verification_calls where token = $1', [call.p_token])).toEqual([
      'verification_call 1 0',
    ]);
    // Calls are kept for 30 days; a day earlier nobody asks for them any more.
    const old = `with gone as (delete from private.verification_calls where token = $1)
      update public.submission_history h set created_at = now() - interval '29 days 1 hour'
      from private.task_tokens k where k.token = $1 and h.user_id = k.user_id`;
    expect(await found(old, [call.p_token])).toEqual([]);
    const again = `insert into private.verification_calls (startup_id, kind, call_id, token, status, code, message)
      select startup_id, kind, 'again', token, status, code, message from private.verification_calls where token = $1`;
    expect(await found(again, [call.p_token])).toEqual(['verification_call 1 2']);
    // One that was refused completed nothing.
    expect(
      await found(again.replace(', code, message from', ", 'ACTION_COUNTED', message from"), [call.p_token]),
    ).toEqual([]);
    const taken = (await unwrap(member.client.from('submissions').select('id').single())).id;
    const reversal = { p_submission_id: taken, p_note: 'Shared code' };
    await unwrap((await newAdmin()).client.rpc('reverse_submission', reversal));
    expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
  });

  test('TRUST-01 BEY-13 a code that was entered after a reversal and approved by a person is nothing wrong', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { campaign, taskId } = await newQuest(owner);
    const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
    await unwrap((await newAdmin()).client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    const task = { id: taskId, title: 'Try it', instructions_md: 'Sign up.', reward_points: 10, max_completions: 5 };
    const change = {
      p_campaign_id: campaign.id,
      p_campaign: { title: campaign.title, summary: campaign.summary, budget_points: 50 },
      p_tasks: [{ ...task, verification: 'code', single_use_codes: ['LANTERN1'] }],
    };
    await unwrap(owner.client.rpc('update_campaign', change));
    await unwrap(member.client.rpc('submit_completion_code', { p_task_id: taskId, p_code: 'LANTERN1' }));
    await unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
    expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
  });

  test('TRUST-01 TRUST-10 TRUST-09 it finds what was redeemed, refunded or earned by a referral without its transfer', async () => {
    const [member, admin] = [await newMember(), await newAdmin()];
    const kinds = async (damage: string, values: unknown[]) =>
      (await planted(damage, values)).map((row) => row.problem).sort();
    const newReward = { title: 'Voucher', points_cost: 40, delivery: 'code' };
    const reward = await unwrap(admin.client.rpc('save_reward', { p_reward: newReward }));
    const other = await unwrap(admin.client.rpc('save_reward', { p_reward: { ...newReward, points_cost: 30 } }));
    await unwrap(admin.client.rpc('add_reward_codes', { p_reward_id: other.id, p_codes: ['OTHER-1'] }));
    const posted = { title: 'Mug', points_cost: 30, stock_quantity: 3 };
    await unwrap(admin.client.rpc('save_reward', { p_reward: posted }));
    await unwrap(admin.client.rpc('add_reward_codes', { p_reward_id: reward.id, p_codes: ['VOUCHER-1', 'VOUCHER-2'] }));
    const grant = { p_user_id: member.id, p_points: 100, p_description: 'Grant' };
    await unwrap(asService().rpc('credit_points_safe', grant));
    await unwrap(member.client.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: 'one' }));
    const { code } = await unwrap(member.client.rpc('create_user_referral_code'));
    const invited = await newMember();
    await unwrap(invited.client.rpc('process_referral_signup', { p_user_id: invited.id, p_code: code }));
    expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
    const copy = `insert into public.redemptions (user_id, reward_id, reward_title, points_cost, idempotency_key)
      select user_id, reward_id, reward_title, points_cost, 'two' from public.redemptions where user_id = $1`;
    expect(await kinds(copy, [member.id])).toEqual(['redemption_payment']);
    expect(
      await planted("update public.redemptions set status = 'cancelled' where user_id = $1", [member.id]),
    ).toMatchObject([{ problem: 'redemption_payment', expected: '0', actual: '40' }]);
    expect(await kinds('update public.rewards set stock_quantity = 2 where id = $1', [reward.id])).toEqual([
      'reward_stock',
    ]);
    expect(
      await kinds('update public.referrals set referred_reward_points = 251 where referred_user_id = $1', [invited.id]),
    ).toEqual(['count', 'referral_payment']);
    const pending = "update public.referrals set status = 'pending', completed_at = null where referred_user_id = $1";
    expect((await planted(pending, [invited.id])).map(({ problem, subject_id }) => `${problem} ${subject_id}`)).toEqual(
      expect.arrayContaining([
        `code_successful_referrals ${member.id}`,
        `code_total_rewards_earned ${member.id}`,
        'count pending_referrals',
        'count referral_points',
      ]),
    );
    await unwrap(member.client.rpc('redeem_reward_safe', { p_reward_id: other.id, p_idempotency_key: 'other' }));
    expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
  });

  test('TRUST-01 TRUST-16 it finds a wrong running balance, and more points held than were credited', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { taskId } = await newQuest(owner);
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
    const grant = { p_user_id: member.id, p_points: 5, p_description: 'Grant' };
    await unwrap(asService().rpc('credit_points_safe', grant));
    expect(
      await planted('update public.entries set balance_after = 14 where user_id = $1 and balance_after = 15', [
        member.id,
      ]),
    ).toMatchObject([{ problem: 'entry_balance', subject_type: 'entry', expected: '15', actual: '14' }]);
    const both = `with h as (update public.point_holds set points = 15 where user_id = $1)
      update public.wallets set held_points = 15 where user_id = $1`;
    expect(await planted(both, [member.id])).toMatchObject([
      { problem: 'hold_points', subject_type: 'transfer', expected: '10', actual: '15' },
    ]);
  });

  test('TRUST-01 TRUST-04 it finds points that a reserve does not need, and a free balance on which two quests count', () =>
    withSettings({ beta_mode: false, trial_quest_limit: 2 }, async () => {
      const owner = await newVerifiedOwner();
      const quests: string[] = [];
      for (let n = 0; n < 2; n += 1) {
        const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 1, max_completions: 1 } });
        await unwrap((await newMember()).client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
        quests.push(campaign.id);
      }
      const move = (from: string, to: string, points: number) =>
        `select private.transfer(${from}, ${to}, ${points}, 'adjustment', 'Planted') from public.wallets w
         join public.wallets r on r.campaign_id = any ($1) where w.startup_id = $2`;
      const values = [quests, owner.startup.id];
      expect(await planted(`${move('w.id', 'r.id', 5)} limit 1`, values)).toMatchObject([
        { problem: 'reserve_surplus', subject_type: 'campaign', expected: '1', actual: '6' },
      ]);
      // Each of the two would be covered by the free point alone.
      const emptied = `with emptied as materialized (${move('r.id', 'null', 1)})
        select private.transfer(w.id, null, w.points - 1, 'adjustment', 'Planted') from public.wallets w
        where w.startup_id = $2 and (select count(*) from emptied) = 2`;
      expect(await planted(emptied, values)).toMatchObject([
        { problem: 'promise_uncovered', subject_type: 'campaign', expected: '1', actual: '0' },
      ]);
    }));

  test('TRUST-01 TRUST-04 the open spots of a closed quest need no reserve', () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newVerifiedOwner();
      const { campaign, taskId } = await newQuest(owner, { task: { max_completions: 2 } });
      await unwrap((await newMember()).client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
      const kept = `select private.transfer(w.id, r.id, 5, 'adjustment', 'Planted') from public.wallets w
        join public.wallets r on r.campaign_id = $1 where w.startup_id = $2`;
      expect(await planted(kept, [campaign.id, owner.startup.id])).toMatchObject([
        { problem: 'reserve_surplus', subject_type: 'campaign', expected: '10', actual: '15' },
      ]);
    }));

  test('TRUST-01 SEC-15 only admins and the server may run it', async () => {
    expect(await unwrap((await newAdmin()).client.rpc('reconcile_ledger'))).toEqual([]);
    for (const who of [await newMember(), await newOwner()])
      expect(await refusal(who.client.rpc('reconcile_ledger'))).toEqual(FORBIDDEN);
  });
});

describe('corrections by admins', () => {
  test('TRUST-08 a reversal posts opposite entries, frees the slot and lowers the leaderboard; spent points cannot be taken', async () => {
    const [owner, member, admin] = [await newCheckedOwner(), await newMember(), await newAdmin()];
    const { campaign, taskId } = await newQuest(owner);
    const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
    const reverse = (note: string) => admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: note });
    expect(await changesNothing(() => refusal(reverse(' ')))).toMatchObject({ status: 400, code: 'REASON_REQUIRED' });
    await unwrap(asService().rpc('debit_points_safe', { p_user_id: member.id, p_points: 1, p_description: 'spent' }));
    expect(await changesNothing(() => refusal(reverse('copied')))).toMatchObject({
      status: 409,
      code: 'INSUFFICIENT_POINTS',
    });
    await unwrap(asService().rpc('credit_points_safe', { p_user_id: member.id, p_points: 1, p_description: 'back' }));
    expect(await unwrap(reverse('copied'))).toMatchObject({ status: 'rejected', review_note: 'copied' });
    expect(await changesNothing(() => refusal(reverse('again')))).toMatchObject({ status: 409, code: 'NOT_APPROVED' });
    const entries = await unwrap(
      member.client.from('transactions').select('type, kind, points').eq('submission_id', id).order('id'),
    );
    expect(entries).toEqual([
      { type: 'credit', kind: 'task_completion', points: 10 },
      { type: 'debit', kind: 'reversal', points: 10 },
    ]);
    expect(await walletOf(member.id)).toEqual({ points: 0, lifetime: 1 });
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 450, reserved: 50 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-04 suspending blocks actions but not reads; lifting undoes both', async () => {
    const [member, admin] = [await newMember(), await newAdmin()];
    const suspend = (userId: string, reason: string) =>
      admin.client.rpc('suspend_user', { p_user_id: userId, p_reason: reason });
    expect(await changesNothing(() => refusal(suspend(member.id, '')))).toMatchObject({ code: 'REASON_REQUIRED' });
    expect(await changesNothing(() => refusal(suspend(admin.id, 'x')))).toMatchObject({
      code: 'ADMIN_NOT_SUSPENDABLE',
    });
    await unwrap(suspend(member.id, 'spam'));
    const act = () => member.client.rpc('update_profile', { p_username: 'a', p_display_name: 'b' });
    expect(await refusal(act())).toEqual(SUSPENDED);
    expect(await unwrap(member.client.from('user_profiles').select('suspension_reason').single())).toEqual({
      suspension_reason: 'spam',
    });
    const lift = () => unwrap(admin.client.rpc('lift_suspension', { p_user_id: member.id }));
    await lift();
    expect((await act()).error).toBeNull();
    expect(await changesNothing(lift)).toMatchObject({ suspended_at: null });
  });

  test("C-22 C-26 settings change all or nothing, are audited, and cannot set the admin's address", async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const change = (settings: Json, who = admin) => who.client.rpc('update_app_settings', { p_settings: settings });
    await changesNothing(async () => {
      expect(await refusal(change({ og_slots: 5 }, member))).toEqual(FORBIDDEN);
      for (const bad of [
        { og_slots: -1 },
        { og_slots: 'many' },
        { beta_mode: null },
        { member_floor: 1, og_slots: 1e12 },
      ]) {
        expect(await refusal(change(bad)), JSON.stringify(bad)).toMatchObject({
          status: 400,
          code: 'INVALID_SETTINGS',
        });
      }
      for (const bad of [{ owner_email: 'me@example.com' }, { nonsense: 1 }]) {
        expect(await refusal(change(bad))).toMatchObject({ status: 400, code: 'UNKNOWN_SETTING' });
      }
    });
    expect(await unwrap(change({ member_floor: 48 }))).toMatchObject({ member_floor: 48 });
    const { rows } = await sql().query(
      "select actor_id, after ->> 'member_floor' as value from public.audit_log where action = 'settings.update' order by id desc limit 1",
    );
    expect(rows).toEqual([{ actor_id: admin.id, value: '48' }]);
    await unwrap(change({ member_floor: 47 }));
  });

  test('C-22 C-26 every setting can be changed, and is stored', async () => {
    const admin = await newAdmin();
    const stored = async () => {
      const { rows } = await sql().query(
        "select to_jsonb(s) - array['id', 'owner_email', 'updated_at'] as values from public.app_settings s",
      );
      return rows[0].values as Record<string, number | boolean>;
    };
    const change = (settings: Json) => unwrap(admin.client.rpc('update_app_settings', { p_settings: settings }));
    const before = await stored();
    const after = Object.fromEntries(
      Object.entries(before).map(([name, value]) => [name, typeof value === 'boolean' ? !value : value + 1]),
    );
    await change(after);
    expect(await stored()).toEqual(after);
    await change(before);
    expect(await stored()).toEqual(before);
  });
});
