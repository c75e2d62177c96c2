import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, asUser, sql } from '../../local/testing/clients.ts';
import { HIDDEN, lift, revoke, SHOWN, shown, suspendUser, verify } from './support/closed-business.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  type Member,
  newAdmin,
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
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const erase = async ({ id }: Member) => {
  expect((await asService().rpc('anonymise_user', { p_user_id: id })).error).toBeNull();
};

/** The actions that the audit log has of these subjects, in order. */
const auditOf = async (subjects: string[]) => {
  const { rows } = await sql().query<{ action: string }>(
    'select action from public.audit_log where subject_id = any ($1) order by id',
    [subjects],
  );
  return rows.map(({ action }) => action);
};
const verifiedCount = async () => (await unwrap(asAnon().rpc('get_site_stats')))[0]?.verified_startups ?? 0;
const statusOf = async (campaignId: string) =>
  (await sql().query('select status, hold_cause, hold_reason from public.campaigns where id = $1', [campaignId]))
    .rows[0];

describe('TRUST-18 suspending an owner closes the business', () => {
  test('at once: no list shows it, it takes no proofs and spends nothing; lifting restores it, and each step is audited', () =>
    withSettings({ beta_mode: false, trial_quest_limit: 5 }, async () => {
      const owner = await newVerifiedOwner();
      const [admin, member, early] = [await newAdmin(), await newMember(), await newMember()];
      const small = { task: { max_completions: 1 } };
      const { campaign, taskId } = await newQuest(owner);
      const draft = (await newQuest(owner, small)).campaign;
      await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: draft.id }));
      const taken = (await newQuest(owner, small)).campaign;
      await unwrap(admin.client.rpc('unpublish_campaign', { p_campaign_id: taken.id, p_reason: 'Asks for passwords' }));
      const waiting = await unwrap(early.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }));
      await sql().query('delete from private.site_stats_cache');
      const verified = await verifiedCount();
      expect(await shown(owner, campaign.id)).toEqual(SHOWN);
      const points = await projectPoints(owner.startup.id, campaign.id);

      await suspendUser(admin, owner);
      expect(await shown(owner, campaign.id)).toEqual(HIDDEN);
      expect(await verifiedCount()).toBe(verified - 1);
      expect(await refusal(admin.client.rpc('lift_campaign_hold', { p_campaign_id: campaign.id }))).toEqual({
        status: 409,
        code: 'HELD_WITH_PROJECT',
        message: 'This quest is on hold together with its project, and comes back with it.',
      });
      const submit = () => member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' });
      expect(await refusal(submit())).toMatchObject({ code: 'QUEST_NOT_OPEN' });
      const feedback = { p_project_id: owner.startup.id, p_rating: 5, p_feedback_text: 'x' };
      expect(await refusal(member.client.rpc('submit_project_feedback', feedback))).toMatchObject({
        code: 'PROJECT_NOT_FOUND',
      });
      const slot = { p_user_id: owner.id, p_startup_id: owner.startup.id, p_plan_id: 'og_lifetime' };
      expect(await refusal(asService().rpc('reserve_checkout_slot', slot))).toEqual(SUSPENDED);
      // Submitted work is still decided: by an admin, paid from the reserve.
      const approve = { p_submission_id: waiting.id, p_decision: 'approve' };
      expect(await refusal(owner.client.rpc('review_submission', approve))).toEqual(SUSPENDED);
      await unwrap(admin.client.rpc('review_submission', approve));
      expect(await walletOf(early.id)).toEqual({ points: 10, lifetime: 10 });
      // The owner and admins still see it.
      expect(await unwrap(owner.client.from('campaigns').select('hold_reason').eq('id', campaign.id))).toEqual([
        { hold_reason: 'Scam' },
      ]);

      await lift(admin, owner);
      expect(await shown(owner, campaign.id)).toEqual(SHOWN);
      expect(await verifiedCount()).toBe(verified);
      expect(await statusOf(draft.id)).toMatchObject({ status: 'draft', hold_cause: null });
      // Lifting does not release a quest that an admin has held separately.
      expect(await statusOf(taken.id)).toEqual({
        status: 'draft',
        hold_cause: 'moderation',
        hold_reason: 'Asks for passwords',
      });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ ...points, reserved: points.reserved - 10 });
      expect((await unwrap(submit())).status).toBe('pending');
      expect(await auditOf([owner.id, owner.startup.id, campaign.id])).toEqual([
        'startup.create',
        'campaign.create',
        'user.suspend',
        'campaign.hold',
        'startup.suspend',
        'user.lift_suspension',
        'campaign.lift_hold',
        'startup.lift_suspension',
      ]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test("at once also for the person's other accounts, C-81 as long as the suspension lasts; not for an admin's", async () => {
    const [admin, owner] = [await newAdmin(), await newOwner()];
    const { campaign } = await newQuest(owner);
    const second = await newMember('second', { email: owner.email.replace('@', '+two@') });
    const act = () => second.client.rpc('save_interests', { p_interests: [] });
    await suspendUser(admin, second);
    expect(await shown(owner, campaign.id)).toEqual(HIDDEN);
    await lift(admin, owner);
    expect((await act()).error).toBeNull();
    await suspendUser(admin, owner);
    expect(await refusal(act())).toEqual(SUSPENDED);
    await lift(admin, second);
    expect(await shown(owner, campaign.id)).toEqual(SHOWN);

    const double = await newMember('double', { email: admin.email.replace('@', '+two@') });
    const suspension = { p_user_id: double.id, p_reason: 'Spam' };
    const other = await newAdmin();
    for (const who of [admin, other]) {
      expect(await refusal(who.client.rpc('suspend_user', suspension))).toMatchObject({
        code: 'ADMIN_NOT_SUSPENDABLE',
      });
    }
  });

  test('a quest created or published at the same time is held or refused', () =>
    withSettings({ trial_quest_limit: 50 }, async () => {
      const admin = await newAdmin();
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          const owner = await newOwner();
          const [, ...made] = await Promise.allSettled([
            suspendUser(admin, owner),
            ...Array.from({ length: 3 }, () => newQuest(owner, { task: { max_completions: 1 } })),
          ]);
          for (const quest of made)
            if (quest.status === 'rejected') expect(String(quest.reason)).toContain('"hint":"SUSPENDED"');
          const { rows } = await sql().query(
            "select 1 from public.campaigns where startup_id = $1 and status = 'published'",
            [owner.startup.id],
          );
          expect(rows).toEqual([]);
        }),
      );
    }));

  test('a project created at the same time is not shown either', async () => {
    const admin = await newAdmin();
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const member = await newMember('owner');
        const [, { error }] = await Promise.all([
          suspendUser(admin, member),
          member.client.rpc('create_startup_profile', { p_name: `At once ${member.name}`, p_industry: 'SaaS' }),
        ]);
        if (error) expect(error.hint).toBe('SUSPENDED');
        const { rows } = await sql().query(
          'select 1 from public.startup_profiles where owner_user_id = $1 and is_public',
          [member.id],
        );
        expect(rows).toEqual([]);
      }),
    );
  });

  test('does not end with an account that never signs in here: without a profile nothing is earned, redeemed or rated', async () => {
    const [member, admin, owner] = [await newMember(), await newAdmin(), await newOwner()];
    const { taskId } = await newQuest(owner);
    await suspendUser(admin, member);
    const other = await asUser({ ...member, id: `${member.id}_other` });
    const reward = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Mug', points_cost: 1 } }));
    await changesNothing(async () => {
      for (const call of [
        other.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }),
        other.rpc('submit_completion_code', { p_task_id: taskId, p_code: 'AB12CD' }),
        other.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: 'key' }),
        other.rpc('submit_project_feedback', {
          p_project_id: owner.startup.id,
          p_rating: 1,
          p_feedback_text: 'Bad',
        }),
      ]) {
        expect(await refusal(call)).toEqual({ status: 404, code: 'PROFILE_NOT_FOUND', message: 'Profile not found' });
      }
    });
    await unwrap(other.rpc('sync_current_user', {}));
    expect(await refusal(other.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }))).toEqual(SUSPENDED);
  });

  test('cannot be lifted from an account that does not exist', async () => {
    const admin = await newAdmin();
    expect(
      await changesNothing(() => refusal(admin.client.rpc('lift_suspension', { p_user_id: 'user_nobody' }))),
    ).toEqual({ status: 404, code: 'PROFILE_NOT_FOUND', message: 'Profile not found' });
  });

  test('C-97 follows the person to the next account with the same mailbox, even after deletion, until an admin lifts it', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    await suspendUser(admin, owner, 'Runs a ring of accounts');
    await erase(owner);
    const again = { ...owner, id: `${owner.id}_again`, email: owner.email.replace('@', '+again@') };
    const client = await asUser(again);
    expect(await unwrap(client.rpc('sync_current_user', {}))).toMatchObject({
      suspension_reason: 'Runs a ring of accounts',
    });
    expect(await refusal(client.rpc('create_startup_profile', { p_name: 'Again', p_industry: 'SaaS' }))).toEqual(
      SUSPENDED,
    );
    // Signing in again neither repeats the suspension nor, later, undoes the admin's decision.
    const told = "select 1 from public.outbox_events where type = 'AccountSuspended' and user_id = $1";
    await unwrap(client.rpc('sync_current_user', {}));
    expect((await sql().query(told, [again.id])).rowCount).toBe(1);
    const personOf = async (p_user_id: string) =>
      (await admin.client.rpc('admin_get_person', { p_user_id }).throwOnError()).data;
    expect(await personOf(owner.id)).toMatchObject({ deletion: { was_suspended: true } });
    expect(await personOf(again.id)).toMatchObject({ deletion: null });
    await lift(admin, again);
    expect((await unwrap(client.rpc('sync_current_user', {}))).suspended_at).toBeNull();
    // Both accounts are let off, and the log of both says so.
    expect(await personOf(owner.id)).toMatchObject({
      deletion: { was_suspended: false },
      history: [{ action: 'user.lift_suspension' }, { action: 'user.delete' }, { action: 'user.suspend' }],
    });
    // Deleting an account in good standing does not suspend the next one.
    const honest = await newMember();
    await erase(honest);
    const next = await asUser({ ...honest, id: `${honest.id}_next` });
    expect((await unwrap(next.rpc('sync_current_user', {}))).suspended_at).toBeNull();
  });
});

describe('C-91 a revoked verification', () => {
  test('unlists the project, holds its quests, keeps reserves and notifies the owner; verifying again restores everything without a second grant', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, admin, stranger] = [await newVerifiedOwner(), await newAdmin(), await newMember()];
      await unwrap(owner.client.rpc('switch_role', { p_role: 'startup' }));
      const { campaign, taskId } = await newQuest(owner);
      await changesNothing(async () => {
        for (const who of [owner, stranger]) expect(await refusal(revoke(who, owner))).toEqual(FORBIDDEN);
        const unknown = { ...owner, startup: { ...owner.startup, id: randomUUID() } };
        expect(await refusal(revoke(admin, unknown))).toMatchObject({ status: 404, code: 'STARTUP_NOT_FOUND' });
        expect(await refusal(revoke(admin, owner, ' '))).toMatchObject({ code: 'REASON_REQUIRED' });
      });
      const points = await projectPoints(owner.startup.id, campaign.id);
      await unwrap(revoke(admin, owner));
      expect(await refusal(revoke(admin, owner))).toEqual({
        status: 409,
        code: 'NOT_VERIFIED',
        message: 'This project is not verified',
      });
      expect(await shown(owner, campaign.id)).toEqual(HIDDEN);
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual(points);
      expect(await refusal(stranger.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }))).toMatchObject({
        code: 'QUEST_NOT_OPEN',
      });
      for (const request of [
        owner.client.rpc('publish_campaign', { p_campaign_id: campaign.id }),
        owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }),
      ]) {
        expect(await refusal(request)).toEqual({
          status: 409,
          code: 'ON_HOLD',
          message: 'This quest is on hold: Sells followers',
        });
      }
      const own = owner.client.rpc('get_own_startup').single();
      expect(await unwrap(own)).toMatchObject({
        status: 'rejected',
        review_note: 'Sells followers',
        revoked_at: expect.any(String),
      });
      expect((await unwrap(owner.client.from('user_profiles').select('role').single())).role).toBe(
        'startup_unverified',
      );
      const { rows } = await sql().query(
        "select payload ->> 'reason' as reason from public.outbox_events where user_id = $1 and type = 'VerificationRevoked'",
        [owner.id],
      );
      expect(rows).toEqual([{ reason: 'Sells followers' }]);

      const history = () => unwrap(admin.client.rpc('get_project_history', { p_startup_id: owner.startup.id }));
      expect((await history()).map(({ decision, reason }) => [decision, reason])).toEqual([
        ['revoked', 'Sells followers'],
        ['verified', 'verified by the test'],
      ]);
      expect(await refusal(owner.client.rpc('get_project_history', { p_startup_id: owner.startup.id }))).toEqual(
        FORBIDDEN,
      );
      await verify(admin, owner.startup.id);
      expect(await shown(owner, campaign.id)).toEqual(SHOWN);
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual(points);
      expect((await history())[0]).toMatchObject({ decision: 'verified', reason: 'Checked again' });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('a quest whose tasks its owner removed during the hold comes back as a draft, not empty on the board', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    const { campaign } = await newQuest(owner);
    await unwrap(revoke(admin, owner));
    const emptied = { title: 'T', summary: 'S', budget_points: 50 };
    await unwrap(owner.client.rpc('update_campaign', { p_campaign_id: campaign.id, p_campaign: emptied, p_tasks: [] }));
    await verify(admin, owner.startup.id);
    expect(await statusOf(campaign.id)).toEqual({ status: 'draft', hold_cause: null, hold_reason: null });
  });

  test('a quest that its owner closed during the hold stays closed, and its points stay with the project', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    const { campaign } = await newQuest(owner);
    await unwrap(revoke(admin, owner));
    await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
    await verify(admin, owner.startup.id);
    expect(await statusOf(campaign.id)).toEqual({ status: 'closed', hold_cause: null, hold_reason: null });
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 500, reserved: 0 });
  });

  test('combined with a suspension: the quests come back when both are over, in either order', () =>
    withSettings({ beta_mode: false }, async () => {
      const admin = await newAdmin();
      for (const isLiftedFirst of [true, false]) {
        const owner = await newVerifiedOwner();
        const { campaign } = await newQuest(owner);
        await unwrap(revoke(admin, owner));
        await suspendUser(admin, owner);
        const end = [() => lift(admin, owner), () => verify(admin, owner.startup.id)];
        for (const step of isLiftedFirst ? end : end.toReversed()) {
          expect(await shown(owner, campaign.id)).toEqual(HIDDEN);
          await step();
        }
        expect(await shown(owner, campaign.id)).toEqual(SHOWN);
      }
    }));
});

describe('C-97 a re-created profile', () => {
  const create = (client: Member['client'], name: string) =>
    unwrap(client.rpc('create_startup_profile', { p_name: name, p_industry: 'SaaS' }));

  test('by the same person starts pending in beta after a rejection, with its reason, until an admin approves it', async () => {
    const admin = await newAdmin();
    const owner = await withSettings({ beta_mode: false }, () => newOwner());
    const rejection = { p_startup_id: owner.startup.id, p_status: 'rejected', p_note: 'No such company' };
    await unwrap(admin.client.rpc('set_startup_status', rejection));
    const remake = async (client: Member['client'], startupId: string) => {
      await client.rpc('delete_startup_profile', { p_startup_id: startupId }).throwOnError();
      return create(client, `Made again by ${owner.name}`);
    };
    const other = await newOwner();
    const second = await remake(owner.client, owner.startup.id);
    expect(second).toMatchObject({ status: 'pending', review_note: 'No such company' });
    expect(await unwrap(other.client.rpc('get_own_startup').single())).toEqual(other.startup);
    const history = await unwrap(admin.client.rpc('get_project_history', { p_startup_id: second.id }));
    expect(history).toMatchObject([{ decision: 'rejected', startup_id: owner.startup.id, reason: 'No such company' }]);

    // The same with a new account and the same mailbox.
    await owner.client.rpc('delete_startup_profile', { p_startup_id: second.id }).throwOnError();
    await erase(owner);
    const again = await asUser({ ...owner, id: `${owner.id}_again` });
    await unwrap(again.rpc('sync_current_user', {}));
    const third = await create(again, `And again by ${owner.name}`);
    expect(third).toMatchObject({ status: 'pending', review_note: 'No such company' });
    await verify(admin, third.id);
    expect((await remake(again, third.id)).status).toBe('verified');
  });

  test('of an owner whose account was deleted with held quests starts pending until all holds are lifted', () =>
    withSettings({ trial_quest_limit: 2 }, async () => {
      const admin = await newAdmin();
      for (const lifted of [0, 1, 2]) {
        const owner = await newOwner();
        const quests = [await newQuest(owner), await newQuest(owner)].map(({ campaign }) => campaign.id);
        for (const id of quests) {
          const hold = { p_campaign_id: id, p_reason: 'Asks for passwords' };
          await unwrap(admin.client.rpc('unpublish_campaign', hold));
          expect(await refusal(owner.client.rpc('delete_campaign', { p_campaign_id: id }))).toEqual({
            status: 409,
            code: 'ON_HOLD',
            message: 'This quest is on hold: Asks for passwords',
          });
        }
        for (const id of quests.slice(0, lifted)) {
          await unwrap(admin.client.rpc('lift_campaign_hold', { p_campaign_id: id }));
        }
        await erase(owner);
        const again = await asUser({ ...owner, id: `${owner.id}_again` });
        await unwrap(again.rpc('sync_current_user', {}));
        const { status } = await create(again, `Again ${owner.name}`);
        expect(status, `${lifted} of 2 lifted`).toBe(lifted === 2 ? 'verified' : 'pending');
      }
    }));
});
