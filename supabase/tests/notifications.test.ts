import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asService, sql, testEnv } from '../../local/testing/clients.ts';
import {
  grantPoints,
  ledgerProblems,
  type Member,
  newAdmin,
  newCheckedOwner,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  type Quest,
  submitProof,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { letDaysPass } from './support/holds.ts';
import { tick } from './support/periodic-jobs.ts';
import { update } from './support/quest-updates.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const outsideBeta = (run: () => Promise<void>) =>
  withSettings({ beta_mode: false, trial_quest_limit: 5, submissions_per_minute: 100 }, run);

const list = (who: Member, args: { p_only_unread?: boolean; p_limit?: number; p_cursor?: string } = {}) =>
  unwrap(who.client.rpc('list_notifications', args));
/** Type and data of a person's notifications, oldest first. */
const told = async (who: Member) => (await list(who)).map(({ type, data }) => [type, data]).toReversed();
const unread = (who: Member) => who.client.rpc('get_unread_notification_count').then(({ data }) => data);
const read = (who: Member, id: number) => who.client.rpc('mark_notification_read', { p_notification_id: id });

const submit = (who: Member, { taskId }: Quest) => unwrap(submitProof(who, taskId));
const approve = (owner: Member, id: string) =>
  owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' });
const reject = (owner: Member, id: string) =>
  owner.client.rpc('review_submission', {
    p_submission_id: id,
    p_decision: 'reject',
    p_reason: 'incomplete',
    p_note: 'The date is missing.',
  });

const newMembers = (count: number) => Promise.all(Array.from({ length: count }, () => newMember()));

describe('what a member is told about a proof', () => {
  test('BEY-03 an approval is told once, even under concurrent decisions, and says how much is held', async () => {
    const owner = await newOwner();
    await outsideBeta(async () => {
      const member = await newMember();
      const quest = await newQuest(owner);
      const { id } = await submit(member, quest);
      const decisions = await Promise.all(Array.from({ length: 20 }, () => approve(owner, id)));
      expect(decisions.filter(({ error }) => error === null)).toHaveLength(1);
      expect(await told(member)).toEqual([
        [
          'SubmissionApproved',
          { campaign_id: quest.campaign.id, task: 'Try the product', points: 10, held: 10, decided_by: 'project' },
        ],
      ]);
      expect(await unread(member)).toBe(1);
    });
  });

  test('BEY-03 a decision that is rolled back notifies nobody', () =>
    outsideBeta(async () => {
      const [owner, member] = [await newVerifiedOwner(), await newMember()];
      const quest = await newQuest(owner);
      const { id } = await submit(member, quest);
      const client = await sql().connect();
      await client.query('begin');
      await client.query("select private.approve($1, 'project', null)", [id]);
      const inside = await client.query('select type from public.notifications where user_id = $1', [member.id]);
      await client.query('rollback');
      client.release();
      expect([inside.rows, await told(member)]).toEqual([[{ type: 'SubmissionApproved' }], []]);
    }));

  test('BEY-03 C-77 a rejection carries the reason and the note, C-102 but not its author', () =>
    outsideBeta(async () => {
      const [owner, member] = [await newVerifiedOwner(), await newMember()];
      const quest = await newQuest(owner);
      const { id } = await submit(member, quest);
      await unwrap(reject(owner, id));
      expect(await told(member)).toEqual([
        [
          'SubmissionRejected',
          {
            campaign_id: quest.campaign.id,
            task: 'Try the product',
            project: owner.startup.name,
            reason: 'The proof is incomplete. The date is missing.',
            due_at: expect.any(String),
          },
        ],
      ]);
      expect(JSON.stringify(await list(member))).not.toContain(owner.id);
    }));

  test('BEY-03 reversed and corrected points are told with the reason', async () => {
    const [admin, owner, member] = [await newAdmin(), await newCheckedOwner(), await newMember()];
    const { id } = await submit(member, await newQuest(owner));
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    const { rows } = await sql().query('select id from public.wallets where user_id = $1', [member.id]);
    const adjust = { p_wallet_id: rows[0].id, p_points: 7, p_reason: 'Our mistake', p_idempotency_key: randomUUID() };
    await Promise.all(Array.from({ length: 5 }, () => unwrap(admin.client.rpc('adjust_points', adjust))));
    expect((await told(member)).slice(1)).toMatchObject([
      ['SubmissionReversed', { task: 'Try the product', points: 10, reason: 'Copied' }],
      ['PointsCorrected', { points: 7, reason: 'Our mistake', wallet: 'user' }],
    ]);
    expect(await ledgerProblems()).toEqual([]);
  });
});

describe('what else a member is told', () => {
  test('BEY-03 C-80 both sides of a referral are told about their held bonus, and once about its release', () =>
    outsideBeta(async () => {
      const [referrer, invited, owner] = [await newMember(), await newMember(), await newCheckedOwner()];
      const { code } = await unwrap(referrer.client.rpc('create_user_referral_code'));
      await unwrap(invited.client.rpc('process_referral_signup', { p_user_id: invited.id, p_code: code }));
      expect(await told(referrer)).toEqual([['ReferralCompleted', { points: 500 }]]);
      expect(await told(invited)).toEqual([['PointsHeld', { points: 250, kind: 'welcome' }]]);

      await unwrap(approve(owner, (await submit(invited, await newQuest(owner))).id));
      await tick();
      expect(await told(referrer)).toEqual([
        ['ReferralCompleted', { points: 500 }],
        ['PointsReleased', { points: 500 }],
      ]);
      expect((await told(invited)).slice(1)).toMatchObject([
        ['PointsReleased', { points: 250 }],
        ['SubmissionApproved', { points: 10, held: 0 }],
      ]);
    }));

  test('BEY-03 C-94 trial budget points released by time are told in one notification', async () => {
    const [first, second, member] = [await newOwner(), await newOwner(), await newMember()];
    for (const owner of [first, second]) await submit(member, await newQuest(owner));
    await letDaysPass(8);
    // What has been earned since stays held.
    await submit(member, await newQuest(await newOwner()));
    await Promise.all([tick(), tick(), tick()]);
    // A tick spends two seconds on holds, and other members of this file have some.
    const toldAfterTick = () => tick().then(async () => (await told(member)).slice(3));
    await expect.poll(toldAfterTick).toEqual([['PointsReleased', { points: 20 }]]);
    expect(await toldAfterTick()).toHaveLength(1);
  });

  test.each([
    ['fulfilled', 'RedemptionFulfilled', { delivery: 'mail' }],
    ['cancelled', 'RedemptionCancelled', {}],
  ])('BEY-03 a redemption that is %s is told with the note, and how it comes', async (p_status, type, how) => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const p_reward = { title: 'Mug', points_cost: 40, delivery: 'mail' };
    const reward = await unwrap(admin.client.rpc('save_reward', { p_reward }));
    await grantPoints(member, 40);
    const redemption = await unwrap(
      member.client.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: randomUUID() }),
    );
    expect(await told(member)).toEqual([]);
    const decision = { p_redemption_id: redemption.id, p_status, p_note: 'Sent today' };
    await unwrap(admin.client.rpc('set_redemption_status', decision));
    expect(await told(member)).toEqual([[type, { title: 'Mug', note: 'Sent today', ...how }]]);
  });

  test('BEY-03 a suspended person is told why, can read and mark it, and is told about the appeal and the end', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    await unwrap(admin.client.rpc('suspend_user', { p_user_id: member.id, p_reason: 'Spam' }));
    const [first] = await list(member);
    expect(first).toMatchObject({ kind: 'account_suspended', type: 'AccountSuspended', data: { reason: 'Spam' } });
    expect((await read(member, first?.id ?? 0)).error).toBeNull();
    expect(await unread(member)).toBe(0);

    const appeal = { p_kind: 'suspension', p_words: 'It was a mistake' };
    const { id } = await unwrap(member.client.rpc('submit_appeal', appeal));
    const decision = { p_appeal_id: id, p_decision: 'overturn', p_note: 'You are right' };
    await unwrap((await newAdmin()).client.rpc('decide_appeal', decision));
    expect((await told(member)).slice(1)).toEqual([
      ['SuspensionLifted', {}],
      ['AppealDecided', { kind: 'suspension', outcome: 'overturned', note: 'You are right' }],
    ]);
  });
});

describe('what an owner is told', () => {
  const lines = async (owner: Owner, type: string) => (await list(owner)).filter((row) => row.type === type);

  test('BEY-03 pending proofs are one unread notification per quest, however many arrive at once, with the current count', () =>
    outsideBeta(async () => {
      const [owner, members] = [await newVerifiedOwner(), await newMembers(20)];
      const quests = [
        await newQuest(owner, { task: { max_completions: 25, reward_points: 1 } }),
        await newQuest(owner, { task: { max_completions: 25, reward_points: 1 } }),
      ] as const;
      await Promise.all(members.map((member, index) => submit(member, quests[index < 15 ? 0 : 1])));
      const waiting = async () =>
        (await lines(owner, 'ProofsWaiting'))
          .map(({ data, waiting, read_at }) => ({
            quest: (data as { quest: string }).quest,
            waiting,
            read: read_at !== null,
          }))
          .toSorted((a, b) => (b.waiting ?? 0) - (a.waiting ?? 0));
      expect(await waiting()).toEqual([
        { quest: quests[0].campaign.title, waiting: 15, read: false },
        { quest: quests[1].campaign.title, waiting: 5, read: false },
      ]);

      // Once read, the next proof gets a new notification; once decided, the notification is marked read.
      const [newest] = await lines(owner, 'ProofsWaiting');
      expect((await read(owner, newest?.id ?? 0)).error).toBeNull();
      const readAt = async () => (await lines(owner, 'ProofsWaiting')).find(({ id }) => id === newest?.id)?.read_at;
      const first = await readAt();
      for (const quest of quests) await submit(await newMember(), quest);
      expect((await waiting()).filter((line) => !line.read)).toHaveLength(2);
      expect(await waiting()).toHaveLength(3);
      const pending = await unwrap(owner.client.from('submissions').select('id, campaign_id').eq('status', 'pending'));
      const decide = async (questId: string) => {
        for (const { id, campaign_id } of pending) if (campaign_id === questId) await unwrap(approve(owner, id));
      };
      await decide(quests[0].campaign.id);
      expect((await waiting()).filter((line) => !line.read)).toEqual([
        { quest: quests[1].campaign.title, waiting: 6, read: false },
      ]);
      await decide(quests[1].campaign.id);
      expect((await waiting()).map((line) => [line.waiting, line.read])).toEqual([
        [0, true],
        [0, true],
        [0, true],
      ]);
      expect(await readAt()).toBe(first);
      // Only the project's verification is left.
      expect((await list(owner, { p_only_unread: true })).map(({ type }) => type)).toEqual(['StartupVerified']);
    }));

  test('BEY-03 a proof approved by the beta is not reported as pending', async () => {
    const owner = await newOwner();
    await submit(await newMember(), await newQuest(owner));
    expect(await lines(owner, 'ProofsWaiting')).toEqual([]);
  });

  test('BEY-03 a quest that fills up is reported once, but not when its owner lowers the slots', async () => {
    const owner = await newOwner();
    const quest = await newQuest(owner, { task: { max_completions: 2 } });
    const [first, second, third] = await newMembers(3);
    if (!first || !second || !third) throw new Error('no members');
    const setSlots = (who: Owner, { campaign, tasks }: Quest, max_completions: number) =>
      unwrap(update(who, campaign.id, [{ ...tasks[0], max_completions }], { title: campaign.title }));
    await submit(first, quest);
    expect(await lines(owner, 'QuestFull')).toEqual([]);
    await submit(second, quest);
    const [full, ...others] = await lines(owner, 'QuestFull');
    const data = { campaign_id: quest.campaign.id, quest: quest.campaign.title };
    expect([full, others]).toMatchObject([{ kind: 'quest_full', data }, []]);
    // Nor when it fills up again, as long as the first report is unread.
    await setSlots(owner, quest, 3);
    await submit(third, quest);
    expect((await lines(owner, 'QuestFull')).map(({ id }) => id)).toEqual([full?.id]);

    const lowering = await newOwner();
    const other = await newQuest(lowering, { task: { max_completions: 2 } });
    await submit(first, other);
    expect((await setSlots(lowering, other, 1)).is_full).toBe(true);
    expect(await lines(lowering, 'QuestFull')).toEqual([]);
  });

  test('BEY-03 a full quest is not reported again when its last proof is decided', () =>
    outsideBeta(async () => {
      const owner = await newVerifiedOwner();
      const quest = await newQuest(owner, { task: { max_completions: 1 } });
      const other = await newQuest(owner, { task: { max_completions: 1 } });
      const { id } = await submit(await newMember(), quest);
      const [full] = await lines(owner, 'QuestFull');
      await unwrap(read(owner, full?.id ?? 0));
      const { id: second } = await submit(await newMember(), other);
      for (const proof of [id, second]) await unwrap(approve(owner, proof));
      // What the owner has not read stays unread: that the quest is full is news also without a proof to decide.
      expect(await lines(owner, 'QuestFull')).toMatchObject([{ read_at: null }, { id: full?.id }]);
    }));

  test('BEY-03 C-91 holds, revocation, rejection and a changed plan are told', async () => {
    const [admin, owner] = [await newAdmin(), await newOwner()];
    const { campaign } = await newQuest(owner);
    const hold = { p_campaign_id: campaign.id, p_reason: 'Asks for passwords' };
    await unwrap(admin.client.rpc('unpublish_campaign', hold));
    await unwrap(admin.client.rpc('lift_campaign_hold', { p_campaign_id: campaign.id }));
    const revocation = { p_startup_id: owner.startup.id, p_reason: 'No site' };
    await unwrap(admin.client.rpc('revoke_verification', revocation));
    const payment = `p-${owner.id}`;
    const plan = {
      p_startup_id: owner.startup.id,
      p_plan_id: 'og_lifetime',
      p_payment_ref: payment,
      p_amount_cents: 9900,
    };
    await unwrap(asService().rpc('activate_subscription', { ...plan, p_event_id: `a-${payment}` }));
    await unwrap(asService().rpc('activate_subscription', { ...plan, p_event_id: `a-${payment}` }));
    const end = { p_payment_ref: payment, p_event_id: `e-${payment}`, p_status: 'refunded' };
    await unwrap(asService().rpc('end_payment', end));
    const about = { campaign_id: campaign.id, quest: campaign.title };
    expect(await told(owner)).toEqual([
      ['StartupVerified', { name: owner.startup.name, trial_points: 500 }],
      ['QuestHeld', { ...about, reason: 'Asks for passwords' }],
      ['QuestHoldLifted', about],
      ['VerificationRevoked', { name: owner.startup.name, reason: 'No site' }],
      ['SubscriptionActivated', {}],
      ['SubscriptionEnded', { status: 'refunded' }],
    ]);
  });

  test('BEY-03 an unverified project is told why', () =>
    outsideBeta(async () => {
      const [admin, owner] = [await newAdmin(), await newOwner()];
      const decision = { p_startup_id: owner.startup.id, p_status: 'rejected', p_note: 'We could not open your site' };
      await unwrap(admin.client.rpc('set_startup_status', decision));
      expect(await told(owner)).toEqual([
        ['StartupRejected', { name: owner.startup.name, reason: 'We could not open your site' }],
      ]);
    }));

  test('C-102 a withdrawn address is no notification, and none contains a payment reference', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const quest = await newQuest(owner, { campaign: { collect_emails: true, email_collection_purpose: 'News.' } });
    const proof = { p_task_id: quest.taskId, p_text: 'Done', p_email: member.email };
    await unwrap(member.client.rpc('submit_proof', proof));
    const [consent] = await unwrap(member.client.from('email_consents').select('id').eq('user_id', member.id));
    await unwrap(member.client.rpc('withdraw_email_consent', { p_consent_id: consent?.id ?? '' }));
    await unwrap(
      asService().rpc('activate_subscription', {
        p_startup_id: owner.startup.id,
        p_plan_id: 'og_lifetime',
        p_event_id: `a-${owner.id}`,
        p_payment_ref: `pi_${owner.id}`,
        p_amount_cents: 100,
      }),
    );
    expect(await told(owner)).toEqual([
      ['StartupVerified', { name: owner.startup.name, trial_points: 500 }],
      ['PaymentNotApplied', { reason: 'wrong_amount' }],
    ]);
    expect((await told(member)).map(([type]) => type)).toEqual(['SubmissionApproved']);
  });
});

describe('live updates', () => {
  test.each([true, false])('BEY-03 come with a notification where the platform has them (%s)', (has) =>
    rolledBack(async (client) => {
      const { id } = await newMember();
      await client.query('update private.deployment set has_live_updates = $1', [has]);
      await client.query("select private.enqueue_event('PointsCorrected', $1, '{}')", [id]);
      const { rows } = await client.query(
        `select (select count(*)::integer from public.notifications where user_id = $1) as kept,
          (select count(*)::integer from realtime.messages where topic = 'notifications:' || $1) as sent`,
        [id],
      );
      expect(rows).toEqual([{ kept: 1, sent: has ? 1 : 0 }]);
    }),
  );

  test('C-88 members receive broadcasts on their own channel only, and no presence of others', async () => {
    const [member, other] = [await newMember(), await newMember()];
    const topicOf = (who: Member) => `notifications:${who.id}`;
    const client = await sql().connect();
    /** The messages on the member's channel that reach a listener on this topic. */
    const heard = async (topic: string) => {
      await client.query("select set_config('realtime.topic', $1, true)", [topic]);
      const messages = 'select extension from realtime.messages where topic = $1';
      return (await client.query(messages, [topicOf(member)])).rows.map(({ extension }) => extension);
    };
    try {
      await client.query('begin');
      await client.query('update private.deployment set has_live_updates = false');
      await client.query('select private.enable_live_updates()');
      const { rows } = await client.query('select has_live_updates from private.deployment');
      expect(rows).toEqual([{ has_live_updates: true }]);
      await client.query(
        `insert into realtime.messages (topic, extension, private)
         select $1, extension, true from unnest(array['broadcast', 'presence']) extension`,
        [topicOf(member)],
      );
      await client.query(
        "select set_config('request.jwt.claims', $1, true), set_config('role', 'authenticated', true)",
        [JSON.stringify({ iss: testEnv().IDENTITY_ISSUER, role: 'authenticated', sub: member.id })],
      );
      expect(await heard(topicOf(member))).toEqual(['broadcast']);
      expect(await heard(topicOf(other))).toEqual([]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
