import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import {
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
  refusal,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { letDaysPass, tick } from './support/holds.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const outsideBeta = (run: () => Promise<void>) =>
  withSettings({ beta_mode: false, trial_quest_limit: 5, submissions_per_minute: 100 }, run);

const list = (who: Member, args: { p_only_unread?: boolean; p_limit?: number; p_cursor?: string } = {}) =>
  unwrap(who.client.rpc('list_notifications', args));
/** Type and data of what somebody was told, oldest first. */
const told = async (who: Member) => (await list(who)).map(({ type, data }) => [type, data]).toReversed();
const unread = (who: Member) => who.client.rpc('get_unread_notification_count').then(({ data }) => data);
const read = (who: Member, id: number) => who.client.rpc('mark_notification_read', { p_notification_id: id });

const submit = (who: Member, { taskId }: Quest) =>
  unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: `By ${who.name}: ${randomUUID()}` }));
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

describe('what a member hears of a proof', () => {
  test('BEY-03 an approval is told once, whoever decides at the same time, and says what is held', async () => {
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

  test('BEY-03 a decision that is undone with its transaction tells nobody', () =>
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

  test('BEY-03 C-77 a rejection carries the reason and the words, C-102 and not who wrote them', () =>
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

  test('BEY-03 points that are taken back or corrected are told with the reason', async () => {
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

describe('what else a member hears', () => {
  test('BEY-03 C-80 both sides of a referral hear of their held bonus, and each once when it is released', () =>
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

  test('BEY-03 C-94 points of a trial budget are told as released when time has passed, in one line', async () => {
    const [first, second, member] = [await newOwner(), await newOwner(), await newMember()];
    for (const owner of [first, second]) await submit(member, await newQuest(owner));
    await letDaysPass(8);
    await Promise.all([tick(), tick(), tick()]);
    expect((await told(member)).slice(2)).toEqual([['PointsReleased', { points: 20 }]]);
  });

  test.each([
    ['fulfilled', 'RedemptionFulfilled'],
    ['cancelled', 'RedemptionCancelled'],
  ])('BEY-03 a redemption that is %s is told with the note', async (p_status, type) => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const reward = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Mug', points_cost: 40 } }));
    await unwrap(asService().rpc('credit_points_safe', { p_user_id: member.id, p_points: 40, p_description: 'Grant' }));
    const redemption = await unwrap(
      member.client.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: randomUUID() }),
    );
    expect(await told(member)).toEqual([]);
    const decision = { p_redemption_id: redemption.id, p_status, p_note: 'Sent today' };
    await unwrap(admin.client.rpc('set_redemption_status', decision));
    expect(await told(member)).toEqual([[type, { title: 'Mug', note: 'Sent today' }]]);
  });

  test('BEY-03 a suspended person hears why, can read and mark it, and hears of the appeal and of the end', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    await unwrap(admin.client.rpc('suspend_user', { p_user_id: member.id, p_reason: 'Spam' }));
    const [first] = await list(member);
    expect(first).toMatchObject({ kind: 'account_suspended', type: 'AccountSuspended', data: { reason: 'Spam' } });
    expect((await read(member, first?.id ?? 0)).error).toBeNull();
    expect(await unread(member)).toBe(0);

    const appeal = { p_kind: 'suspension', p_words: 'It was a mistake' };
    const { id } = await unwrap(member.client.rpc('submit_appeal', appeal));
    const decision = { p_appeal_id: id, p_decision: 'overturn', p_note: 'You are right' };
    await unwrap(admin.client.rpc('decide_appeal', decision));
    expect((await told(member)).slice(1)).toEqual([
      ['SuspensionLifted', {}],
      ['AppealDecided', { kind: 'suspension', outcome: 'overturned', note: 'You are right' }],
    ]);
  });
});

describe('what an owner hears', () => {
  const lines = async (owner: Owner, type: string) => (await list(owner)).filter((row) => row.type === type);

  test('BEY-03 proofs that wait are one unread line per quest, however many come at once, with today’s count', () =>
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

      // Read, the next proof is a line of its own; decided, the line is read by itself.
      const [newest] = await lines(owner, 'ProofsWaiting');
      expect((await read(owner, newest?.id ?? 0)).error).toBeNull();
      for (const quest of quests) await submit(await newMember(), quest);
      expect((await waiting()).filter((line) => !line.read)).toHaveLength(2);
      expect(await waiting()).toHaveLength(3);
      const pending = await unwrap(owner.client.from('submissions').select('id').eq('status', 'pending'));
      for (const { id } of pending) await unwrap(approve(owner, id));
      expect((await waiting()).map((line) => [line.waiting, line.read])).toEqual([
        [0, true],
        [0, true],
        [0, true],
      ]);
      // What is left is that the project was verified.
      expect((await list(owner, { p_only_unread: true })).map(({ type }) => type)).toEqual(['StartupVerified']);
    }));

  test('BEY-03 what the beta approves at once is no proof that waits', async () => {
    const owner = await newOwner();
    await submit(await newMember(), await newQuest(owner));
    expect(await lines(owner, 'ProofsWaiting')).toEqual([]);
  });

  test('BEY-03 a quest that fills up is told once, and not when its owner lowers the slots', async () => {
    const owner = await newOwner();
    const quest = await newQuest(owner, { task: { max_completions: 2 } });
    const [first, second] = await newMembers(2);
    if (!first || !second) throw new Error('no members');
    await submit(first, quest);
    expect(await lines(owner, 'QuestFull')).toEqual([]);
    await submit(second, quest);
    expect(await lines(owner, 'QuestFull')).toMatchObject([
      { kind: 'quest_full', data: { campaign_id: quest.campaign.id, quest: quest.campaign.title } },
    ]);

    const lowering = await newOwner();
    const other = await newQuest(lowering, { task: { max_completions: 2 } });
    await submit(first, other);
    const task = { id: other.taskId, title: 'T', instructions_md: 'I', reward_points: 10, max_completions: 1 };
    const saved = lowering.client.rpc('update_campaign', {
      p_campaign_id: other.campaign.id,
      p_campaign: { title: 'T', summary: 'S', budget_points: 500 },
      p_tasks: [task],
    });
    expect((await unwrap(saved)).is_full).toBe(true);
    expect(await lines(lowering, 'QuestFull')).toEqual([]);
  });

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

  test('BEY-03 a project that is not verified is told why', () =>
    outsideBeta(async () => {
      const [admin, owner] = [await newAdmin(), await newOwner()];
      const decision = { p_startup_id: owner.startup.id, p_status: 'rejected', p_note: 'We could not open your site' };
      await unwrap(admin.client.rpc('set_startup_status', decision));
      expect(await told(owner)).toEqual([
        ['StartupRejected', { name: owner.startup.name, reason: 'We could not open your site' }],
      ]);
    }));

  test('C-102 an address that was taken back is no notification, and no line holds a payment’s reference', async () => {
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

describe('the inbox', () => {
  const emit = (who: Member, count: number) =>
    sql().query(
      `select private.enqueue_event('PointsCorrected', $1, jsonb_build_object('points', n)) from generate_series(1, $2::integer) n`,
      [who.id, count],
    );
  const points = (rows: { data: unknown }[]) => rows.map(({ data }) => (data as { points: number }).points);

  test('BEY-03 pages follow each other by cursor, newest first, also while new ones arrive; unread is a filter', async () => {
    const member = await newMember();
    await emit(member, 7);
    const first = await list(member, { p_limit: 3 });
    await emit(member, 1);
    const second = await list(member, { p_limit: 3, p_cursor: first.at(-1)?.cursor });
    const third = await list(member, { p_limit: 3, p_cursor: second.at(-1)?.cursor });
    expect([first, second, third].map(points)).toEqual([[7, 6, 5], [4, 3, 2], [1]]);

    await unwrap(read(member, first[1]?.id ?? 0).then(({ error }) => ({ data: true, error })));
    expect(points(await list(member, { p_only_unread: true }))).toEqual([1, 7, 5, 4, 3, 2, 1]);
    expect(await refusal(member.client.rpc('list_notifications', { p_cursor: 'x' }))).toMatchObject({
      status: 400,
      code: 'INVALID_CURSOR',
    });
  });

  test('BEY-03 "all read" reads what the screen showed and not what has arrived since', async () => {
    const member = await newMember();
    await emit(member, 3);
    const [newest] = await list(member);
    await emit(member, 2);
    const all = await member.client.rpc('mark_all_notifications_read', { p_up_to: newest?.id ?? 0 });
    expect(all.error).toBeNull();
    expect(points(await list(member, { p_only_unread: true }))).toEqual([2, 1]);
    expect(await unread(member)).toBe(2);
  });

  test('BEY-03 the count stops at 100', async () => {
    const member = await newMember();
    await emit(member, 120);
    expect(await unread(member)).toBe(100);
  });

  test('BEY-03 nobody else reads or marks them, not even an admin, and nobody writes them', async () => {
    const [member, other, admin] = [await newMember(), await newMember(), await newAdmin()];
    await emit(member, 1);
    const [row] = await list(member);
    const id = row?.id ?? 0;
    for (const stranger of [other, admin]) {
      expect(await list(stranger)).toEqual([]);
      expect(await unwrap(stranger.client.from('notifications').select())).toEqual([]);
      expect(await refusal(read(stranger, id))).toEqual({
        status: 404,
        code: 'NOTIFICATION_NOT_FOUND',
        message: 'Notification not found',
      });
      expect((await stranger.client.rpc('mark_all_notifications_read', { p_up_to: id })).error).toBeNull();
    }
    expect((await asAnon().rpc('list_notifications')).status).toBe(401);
    expect((await asAnon().from('notifications').select()).status).toBe(401);
    const forged = { id: id + 1_000_000, user_id: member.id, type: 'PointsCorrected', data: {} };
    for (const who of [member, other, admin]) {
      expect((await who.client.from('notifications').insert(forged)).status).toBe(403);
      expect((await who.client.from('notifications').update({ data: {} }).eq('id', id)).status).toBe(403);
      expect((await who.client.from('notifications').delete().eq('id', id)).status).toBe(403);
    }
    expect(await unread(member)).toBe(1);
  });

  test('BEY-24 they are in the export of one’s own data, without those of others', async () => {
    const [member, other] = [await newMember(), await newMember()];
    await emit(member, 1);
    await unwrap(
      member.client
        .rpc('set_notification_preference', { p_kind: 'proof_approved', p_is_mailed: true })
        .then(({ error }) => ({ data: true, error })),
    );
    expect(await unwrap(member.client.rpc('get_own_data'))).toMatchObject({
      notifications: [{ type: 'PointsCorrected', data: { points: 1 } }],
      notification_preferences: [{ kind: 'proof_approved', is_mailed: true }],
    });
    expect(await unwrap(other.client.rpc('get_own_data'))).toMatchObject({
      notifications: [],
      notification_preferences: [],
    });
  });

  test('they go after 180 days, and with the account', async () => {
    const [member, leaving] = [await newMember(), await newMember()];
    await emit(member, 2);
    await emit(leaving, 2);
    await sql().query(
      `insert into public.notifications (id, user_id, type, data, created_at)
       select -n, $1, 'PointsCorrected', jsonb_build_object('points', -n), now() - make_interval(days => 179 + n)
       from generate_series(0, 3) n`,
      [member.id],
    );
    await sql().query("delete from private.write_windows where action = 'remove_expired'");
    await tick();
    expect(points(await list(member))).toEqual([2, 1, 0]);
    await unwrap(
      asService()
        .rpc('anonymise_user', { p_user_id: leaving.id })
        .then(({ error }) => ({ data: true, error })),
    );
    const { rowCount } = await sql().query('select 1 from public.notifications where user_id = $1', [leaving.id]);
    expect(rowCount).toBe(0);
  });
});

describe('mails', () => {
  const prefer = (who: Member, p_kind: string, p_is_mailed: boolean) =>
    who.client.rpc('set_notification_preference', { p_kind, p_is_mailed });
  const preferences = async (who: Member) => await unwrap(who.client.rpc('get_notification_preferences'));
  /** Types of the member's events that come to the worker with an address. */
  async function mailed(who: Member): Promise<string[]> {
    const events = await unwrap(asService().rpc('claim_outbox_events', { p_limit: 100 }));
    return events.filter(({ email }) => email === who.email).map(({ type }) => type);
  }
  const emit = async (who: Member, types: string[]) => {
    await sql().query('update public.outbox_events set processed_at = now() where processed_at is null');
    await sql().query("select private.enqueue_event(t, $1, '{}') from unnest($2::text[]) t", [who.id, types]);
  };

  test('BEY-03 each kind has a switch; before it is used, the mails are those that ask for an answer', async () => {
    const member = await newMember();
    const kinds = (rows: { kind: string; is_mailed: boolean }[]) =>
      rows.flatMap((row) => (row.is_mailed ? row.kind : []));
    const byDefault = [
      'proof_rejected',
      'redemption_decided',
      'quest_held',
      'project_reviewed',
      'account_suspended',
      'appeal_decided',
      'plan_changed',
      'daily_digest',
      'review_due',
    ];
    expect(kinds(await preferences(member))).toEqual(byDefault);
    expect((await prefer(member, 'proof_approved', true)).error).toBeNull();
    expect((await prefer(member, 'proof_rejected', false)).error).toBeNull();
    expect(kinds(await preferences(member))).toEqual(['proof_approved', ...byDefault.slice(1)]);
    expect(kinds(await preferences(await newMember()))).toEqual(byDefault);
  });

  test('BEY-03 the worker gets an address for the kinds that are on, and for what is told in any case', async () => {
    const member = await newMember();
    const types = [
      'SubmissionApproved',
      'SubmissionRejected',
      'PaymentNotApplied',
      'EmailHandedOver',
      'SubscriptionEnded',
    ];
    await emit(member, types);
    expect(await mailed(member)).toEqual(types.slice(1));
    await prefer(member, 'proof_approved', true);
    await prefer(member, 'proof_rejected', false);
    await prefer(member, 'plan_changed', false);
    await emit(member, types);
    expect(await mailed(member)).toEqual(['SubmissionApproved', 'PaymentNotApplied', 'EmailHandedOver']);
    expect(await list(member, { p_limit: 100 })).toHaveLength(8);
  });

  test('a switch is refused for a kind that is none, and to visitors; suspended people have theirs', async () => {
    const member = await newMember();
    for (const kind of ['everything', '', 'SubmissionApproved']) {
      expect(await refusal(prefer(member, kind, true))).toEqual({
        status: 400,
        code: 'INVALID_NOTIFICATION_KIND',
        message: 'Unknown kind of notification',
      });
    }
    const visitor = await asAnon().rpc('set_notification_preference', { p_kind: 'plan_changed', p_is_mailed: true });
    expect(visitor.status).toBe(401);
    expect((await prefer(await suspend(member), 'plan_changed', false)).error).toBeNull();
  });
});

describe('the daily digest', () => {
  /** The day's run has not been, and its hour has come. */
  async function newDay() {
    await sql().query("delete from private.write_windows where action = 'digests'");
    await sql().query('update private.deployment set digest_hour = 0');
    await sql().query("update public.submissions set submitted_at = submitted_at - interval '1 day'");
  }
  const digests = async (who: Member) =>
    (
      await sql().query(
        "select payload from public.outbox_events where user_id = $1 and type = 'DigestDue' order by id",
        [who.id],
      )
    ).rows.map(({ payload }) => payload);

  test('BEY-03 tells a founder once a day what waits, and not again before something new has come', () =>
    outsideBeta(async () => {
      const [owner, idle, declining] = [await newVerifiedOwner(), await newVerifiedOwner(), await newVerifiedOwner()];
      await declining.client.rpc('set_notification_preference', { p_kind: 'daily_digest', p_is_mailed: false });
      const [busy, quiet] = [await newQuest(owner), await newQuest(owner)];
      await newQuest(idle);
      for (const member of await newMembers(3)) await submit(member, busy);
      await submit(await newMember(), quiet);
      await submit(await newMember(), await newQuest(declining));
      await newDay();
      await Promise.all([tick(), tick(), tick()]);
      await tick();
      expect(await digests(owner)).toEqual([
        {
          waiting: 4,
          quests: [
            { title: busy.campaign.title, waiting: 3 },
            { title: quiet.campaign.title, waiting: 1 },
          ],
        },
      ]);
      expect([await digests(idle), await digests(declining)]).toEqual([[], []]);
      // It is a mail, and no line of the inbox.
      expect((await list(owner)).map(({ type }) => type)).not.toContain('DigestDue');

      await newDay();
      await tick();
      expect(await digests(owner)).toHaveLength(1);
    }));

  test('BEY-03 waits for its hour', () =>
    outsideBeta(async () => {
      const owner = await newVerifiedOwner();
      await submit(await newMember(), await newQuest(owner));
      await newDay();
      const { rows } = await sql().query("select extract(hour from now() at time zone 'UTC')::integer as hour");
      // In the last hour of a day there is no later one.
      if (rows[0].hour === 23) return;
      await sql().query('update private.deployment set digest_hour = 23');
      await tick();
      expect(await digests(owner)).toEqual([]);
    }));
});
