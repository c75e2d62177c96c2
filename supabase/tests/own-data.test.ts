import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, asUser, newPersona, sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  grantPoints,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  outsideBeta,
  type Quest,
  refusal,
  submitProof,
  suspend,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { changesNothing, rawCall } from './support/raw.ts';
import { claim, codeOf } from './support/referrals.ts';
import { newReward, redeem } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { upload } from './support/uploads.ts';

setUpDatabase();

const STATEMENT = (project: string) =>
  `I agree that ${project} gets my email address for this purpose: News once a month. I can take this back in my settings at any time.`;

const collecting = { collect_emails: true, email_collection_purpose: 'News once a month.' };

const submit = (member: Member, { taskId }: Quest, p_email = member.email) =>
  member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done', p_email });

const consentsOf = (member: Member) =>
  unwrap(
    member.client
      .from('email_consents')
      .select('id, project_name, quest_title, email, statement, given_at, withdrawn_at')
      .eq('user_id', member.id)
      .order('given_at'),
  );

const eventsOf = async (userId: string, type: string) =>
  (await sql().query('select payload from public.outbox_events where user_id = $1 and type = $2', [userId, type])).rows;

describe("sharing one's address with a project", () => {
  test('BEY-10 the consent text is shown in advance and stored with its time, and a receipt is mailed', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const quest = await newQuest(owner, { campaign: collecting });
    const shown = await unwrap(asAnon().rpc('get_consent_statement', { p_campaign_id: quest.campaign.id }));
    expect(shown).toBe(STATEMENT(owner.startup.name));
    await unwrap(submit(member, quest));
    const consents = await consentsOf(member);
    expect(Math.abs(Date.now() - Date.parse(consents[0]?.given_at ?? ''))).toBeLessThan(60_000);
    expect(consents).toEqual([
      {
        id: expect.any(String),
        given_at: expect.any(String),
        project_name: owner.startup.name,
        quest_title: quest.campaign.title,
        email: member.email,
        statement: shown,
        withdrawn_at: null,
      },
    ]);
    expect(await eventsOf(member.id, 'EmailHandedOver')).toEqual([
      { payload: { project: owner.startup.name, quest: quest.campaign.title, email: member.email, statement: shown } },
    ]);
  });

  test('BEY-10 who read another sentence is asked again; a repeat of what was accepted is not', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const quest = await newQuest(owner, { campaign: collecting });
    const args = { p_task_id: quest.taskId, p_text: 'Done', p_email: member.email };
    const send = (p_consent: string) => member.client.rpc('submit_proof', { ...args, p_consent });
    const rename = () =>
      unwrap(
        owner.client.rpc('update_startup_profile', {
          p_startup_id: owner.startup.id,
          p_name: `Renamed ${randomUUID()}`,
        }),
      );
    const { name } = await rename();
    expect(await changesNothing(() => refusal(send(STATEMENT(owner.startup.name))))).toEqual({
      status: 409,
      code: 'CONSENT_CHANGED',
      message: 'What you agree to has changed. Please read it again, then choose your address once more.',
    });
    await unwrap(send(STATEMENT(name)));
    expect(await consentsOf(member)).toMatchObject([{ project_name: name, statement: STATEMENT(name) }]);
    await rename();
    expect(await refusal(send(STATEMENT(name)))).toMatchObject({ code: 'ALREADY_SUBMITTED' });
  });

  test('BEY-10 one consent and one receipt for all tasks of a quest, until the sentence is another one', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const quest = await newQuest(owner, { campaign: collecting });
    const task = { type: 'signup', instructions_md: 'Sign up', reward_points: 10, max_completions: 5 };
    const more = ['Second', 'Third'].map((title) => ({ ...task, title }));
    const args = { p_campaign_id: quest.campaign.id, p_campaign: { title: 'T', summary: 'S', budget_points: 150 } };
    await unwrap(owner.client.rpc('update_campaign', { ...args, p_tasks: [...quest.tasks, ...more] as Json }));
    const order = owner.client.from('tasks').select('id').eq('campaign_id', quest.campaign.id).order('order_index');
    const [first, second, third] = (await unwrap(order)).map(({ id }) => ({ ...quest, taskId: id }));
    for (const task of [first, second]) await unwrap(submit(member, task ?? quest));
    expect(await consentsOf(member)).toMatchObject([{ email: member.email, withdrawn_at: null }]);
    expect(await eventsOf(member.id, 'EmailHandedOver')).toHaveLength(1);

    const renamed = { p_startup_id: owner.startup.id, p_name: `Renamed ${randomUUID()}` };
    await unwrap(owner.client.rpc('update_startup_profile', renamed));
    await unwrap(submit(member, third ?? quest));
    expect(await consentsOf(member)).toMatchObject([
      { project_name: owner.startup.name, withdrawn_at: expect.any(String) },
      { project_name: renamed.p_name, withdrawn_at: null },
    ]);
    expect(await eventsOf(member.id, 'EmailHandedOver')).toHaveLength(2);
    const [former] = await consentsOf(member);
    await sql().query('delete from public.campaign_email_collections where user_id = $1', [member.id]);
    expect(await consentsOf(member)).toMatchObject([former, { withdrawn_at: expect.any(String) }]);
  });

  test('BEY-10 only an address that is verified for the member is accepted, in any spelling', async () => {
    const [owner, member, other] = await Promise.all([newOwner(), newMember(), newMember()]);
    const quest = await newQuest(owner, { campaign: collecting });
    const notVerified = { status: 422, code: 'EMAIL_NOT_VERIFIED', message: 'This email address is not verified' };
    for (const address of ['ceo@innocent.example', other.email, `x${member.email}`]) {
      expect(await refusal(submit(member, quest, address))).toEqual(notVerified);
    }
    const unverified = await newMember('unverified', { email_verified: false });
    expect(await refusal(submit(unverified, quest))).toEqual(notVerified);
    expect(await consentsOf(member)).toEqual([]);
    // It was verified when they signed in, and this token does not say it.
    const silent = { ...other, client: await asUser(other, { email: null }) };
    expect((await unwrap(submit(silent, quest))).participant_email).toBe(other.email);
    // It is verified now, and they have not signed in with it yet.
    const [changed, { email }] = [await newMember(), newPersona('changed')];
    const renewed = { ...changed, client: await asUser(changed, { email }) };
    expect((await unwrap(submit(renewed, quest, email))).participant_email).toBe(email);
    expect((await unwrap(submit(member, quest, ` ${member.email.toUpperCase()} `))).participant_email).toBe(
      member.email,
    );
  });

  test('a quest that collects no addresses stores none, whatever is sent', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const quest = await newQuest(owner);
    const shown = await asAnon().rpc('get_consent_statement', { p_campaign_id: quest.campaign.id });
    expect([shown.error, shown.data]).toEqual([null, null]);
    expect((await unwrap(submit(member, quest))).participant_email).toBeNull();
    expect(await consentsOf(member)).toEqual([]);
  });

  test('what a quest that is not published would ask for is shown to nobody', async () => {
    const owner = await newOwner();
    const { campaign } = await newQuest(owner, { campaign: collecting });
    const shown = () => asAnon().rpc('get_consent_statement', { p_campaign_id: campaign.id });
    expect((await shown()).data).toContain(owner.startup.name);
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    expect(await shown()).toMatchObject({ error: null, data: null });
  });

  test("BEY-10 withdrawing removes the address from the project's list and submissions, and notifies the owner", async () => {
    const [owner, member, other] = await Promise.all([newOwner(), newMember(), newMember()]);
    const quest = await newQuest(owner, { campaign: collecting });
    await unwrap(submit(member, quest));
    await unwrap(submit(other, quest));
    const [consent] = await consentsOf(member);
    const withdraw = (who: Member) => who.client.rpc('withdraw_email_consent', { p_consent_id: consent?.id ?? '' });
    expect(await refusal(withdraw(other))).toMatchObject({ status: 404, code: 'CONSENT_NOT_FOUND' });
    expect(await refusal(withdraw(owner))).toMatchObject({ status: 404, code: 'CONSENT_NOT_FOUND' });

    await suspend(member);
    expect((await unwrap(withdraw(member))).withdrawn_at).not.toBeNull();
    await unwrap(withdraw(member));
    const list = owner.client.from('campaign_email_collections').select('email').eq('campaign_id', quest.campaign.id);
    expect(await unwrap(list)).toEqual([{ email: other.email }]);
    const rows = owner.client.from('submissions').select('participant_email').eq('campaign_id', quest.campaign.id);
    expect((await unwrap(rows)).map((row) => row.participant_email).sort()).toEqual([null, other.email].sort());
    expect(await eventsOf(owner.id, 'EmailWithdrawn')).toEqual([
      { payload: { quest: quest.campaign.title, email: member.email } },
    ]);
  });

  test("BEY-10 consents belong to the member, and end with the project's list", async () => {
    const [owner, member, other] = await Promise.all([newOwner(), newMember(), newMember()]);
    const quest = await newQuest(owner, { campaign: collecting });
    await unwrap(submit(member, quest));
    for (const who of [owner, other]) expect(await unwrap(who.client.from('email_consents').select())).toEqual([]);
    expect((await asAnon().from('email_consents').select()).status).toBe(401);
    await unwrap(submit(member, await newQuest(await newOwner(), { campaign: collecting })));
    await unwrap(asService().rpc('anonymise_user', { p_user_id: owner.id }));
    expect(await consentsOf(member)).toMatchObject([{ withdrawn_at: expect.any(String) }, { withdrawn_at: null }]);
  });
});

describe('get_own_data', () => {
  test("BEY-24 contains all of the caller's data, and nobody else's", async () => {
    const [owner, member, other] = await Promise.all([newOwner(), newMember(), newMember()]);
    const quest = await newQuest(owner, { campaign: collecting });
    await unwrap(submit(member, quest));
    await unwrap(submit(other, quest));
    const shop = await newOwner();
    await unwrap(shop.client.rpc('create_signing_secret', { p_startup_id: shop.startup.id }));
    const { taskId } = await newQuest(shop, { task: { verification: 'call', link_url: 'https://shop.example/' } });
    for (const { client } of [member, other]) await unwrap(client.rpc('start_task', { p_task_id: taskId }));
    const path = await upload(member, 'proofs');
    await member.client.from('metrics_events').insert({ type: 'page_view', data: {} });
    const rate = { p_project_id: owner.startup.id, p_rating: 5, p_feedback_text: 'Good' };
    await unwrap(member.client.rpc('submit_project_feedback', rate));

    const mine = await unwrap(member.client.rpc('get_own_data'));
    expect(mine).toMatchObject({
      profile: [{ user_id: member.id, email: member.email }],
      wallets: [{ user_id: member.id, points: (await walletOf(member.id)).points }],
      transactions: [{ kind: 'task_completion', type: 'credit', points: 10 }],
      point_holds: [{ reason: 'trial', points: 10, released_at: null }],
      started_tasks: [{ task_id: taskId, reward_points: 10 }],
      submissions: [{ user_id: member.id, quest: quest.campaign.title }],
      email_consents: [{ email: member.email }],
      project_feedback: [{ rating: 5 }],
      usage_events: [{ type: 'page_view' }],
      referral_codes: [{ user_id: member.id }],
      files: [{ bucket: 'proofs', path }],
      projects: [],
      quests: [],
      tasks: [],
    });
    for (const text of [other.id, other.email, owner.id, owner.email]) expect(JSON.stringify(mine)).not.toContain(text);

    const theirs = await unwrap(owner.client.rpc('get_own_data'));
    expect(theirs).toMatchObject({
      projects: [{ id: owner.startup.id }],
      quests: [{ id: quest.campaign.id }],
      tasks: [{ id: quest.taskId }],
      submissions: [],
    });
    for (const text of [other.id, other.email, member.id, member.email]) {
      expect(JSON.stringify(theirs)).not.toContain(text);
    }
  });

  test('BEY-24 an admin gets only their own data; suspended members get theirs, visitors and erased accounts are refused', async () => {
    const [admin, member, erased] = await Promise.all([newAdmin(), newMember(), newMember()]);
    const own = (who: Member) => who.client.rpc('get_own_data');
    expect(await unwrap(own(admin))).toMatchObject({ profile: [{ user_id: admin.id }] });
    expect(JSON.stringify(await unwrap(own(admin)))).not.toContain(member.id);
    expect(await unwrap(own(await suspend(member)))).toMatchObject({ profile: [{ user_id: member.id }] });
    expect((await asAnon().rpc('get_own_data')).status).toBe(401);
    await unwrap(asService().rpc('anonymise_user', { p_user_id: erased.id }));
    expect(await refusal(own(erased))).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  });

  test('BEY-24 holds the decisions, badges and redemptions, feedback without an admin’s notes, and a referral without the other side', async () => {
    const [owner, referrer, member] = [await newVerifiedOwner(), await newMember(), await newMember()];
    await unwrap(claim(member, await codeOf(referrer)));
    const { taskId } = await newQuest(owner);
    await outsideBeta(async () => {
      const { id } = await unwrap(submitProof(member, taskId));
      const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
      await unwrap(owner.client.rpc('review_submission', rejection));
    });
    await grantPoints(member, 40);
    const { reward_id } = await unwrap(redeem(member, await newReward()));
    await sql().query("insert into public.badges (user_id, badge, week) values ($1, 'first_task', '2026-01-05')", [
      member.id,
    ]);
    await sql().query(
      `insert into public.beta_feedback (user_id, type, title, description, admin_notes) values ($1, 'bug', 'Slow', 'Slow', 'A friend')`,
      [member.id],
    );
    const mine = await unwrap(member.client.rpc('get_own_data'));
    expect(mine).toMatchObject({
      submission_history: [{ action: 'rejected', user_id: member.id }],
      redemptions: [{ reward_id, address: null, code: null }],
      badges: [{ badge: 'first_task' }],
      product_feedback: [{ title: 'Slow' }],
      referrals: [{ referred_user_id: member.id }],
    });
    const theirs = await unwrap(referrer.client.rpc('get_own_data'));
    expect(theirs).toMatchObject({ referrals: [{ referrer_user_id: referrer.id }] });
    for (const text of [referrer.id, owner.id, 'A friend']) expect(JSON.stringify(mine)).not.toContain(text);
    expect(JSON.stringify(theirs)).not.toContain(member.id);
  });

  test("BEY-24 of a new member holds the account and, in every other list, nothing of anybody else's", async () => {
    const [member, other] = [await newMember(), await newMember()];
    // Of what the demo data lacks.
    const rows = [
      `private.former_addresses (user_id, email) values ($1, 'former@example.com')`,
      `private.quest_views (user_id, campaign_id) select $1, id from public.campaigns limit 1`,
      `public.appeals (user_id, kind, against_at, words) values ($1, 'suspension', now(), 'Sorry')`,
      `public.email_consents (user_id, project_name, quest_title, email, statement) values ($1, 'P', 'Q', 'a@example.com', 'I agree.')`,
      `public.followed_projects (user_id, startup_id) select $1, id from public.startup_profiles limit 1`,
      `public.mailing_list (user_id, email) values ($1, 'list@example.com')`,
      `public.member_profiles (user_id, handle) values ($1, 'somebody')`,
      `public.notification_preferences (user_id, kind, is_mailed) values ($1, 'proof_approved', true)`,
      `public.point_purchases (owner_user_id, pack_id, points, amount_cents, payment_ref, status) values ($1, 'points_small', 1, 1, 'p', 'refunded')`,
      `private.payment_events (event_id, action, payment_ref, payer_user_id, product_id, amount_cents) values ('e', 'activate', 'p', $1, 'og_lifetime', 1)`,
      `public.saved_quests (user_id, campaign_id) select $1, id from public.campaigns limit 1`,
      `public.subscriptions (owner_user_id, plan_id, payment_ref, amount_cents) values ($1, 'og_lifetime', 's', 1)`,
    ];
    for (const row of rows) await sql().query(`insert into ${row}`, [other.id]);
    await other.client.from('metrics_events').insert({ type: 'page_view', data: {} });
    const listsOf = async (who: Member) => {
      const { made_at, ...lists } = (await unwrap(who.client.rpc('get_own_data'))) as Record<string, Json[]>;
      return Object.entries(lists).flatMap(([name, { length }]) => Array<string>(length).fill(name));
    };
    expect((await listsOf(member)).sort()).toEqual(['profile', 'referral_codes', 'wallets']);
    expect((await listsOf(other)).sort()).toEqual([
      ...['appeals', 'email_consents', 'followed_projects', 'former_addresses', 'mailing_list'],
      ...['notification_preferences', 'point_purchases', 'profile', 'public_profile', 'quest_views', 'referral_codes'],
      ...['saved_quests', 'subscriptions', 'unused_payments', 'usage_events', 'wallets'],
    ]);
  });

  test('C-25 shows a member the quest as last published, not what its owner has written since', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const quest = await newQuest(owner);
    await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: quest.campaign.id }));
    const task = { id: quest.taskId, title: 'Secret task', type: 'signup', instructions_md: 'x' };
    await unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: quest.campaign.id,
        p_campaign: { title: 'Secret quest', summary: 'Secret', budget_points: 50 },
        p_tasks: [{ ...task, reward_points: 10, max_completions: 5 }],
      }),
    );
    const told = [
      await unwrap(member.client.rpc('get_own_data')),
      await unwrap(member.client.rpc('list_own_transactions', {})),
      await unwrap(member.client.rpc('list_my_quests', {})),
      await unwrap(member.client.rpc('check_user_quest_completion', { p_user_id: member.id })),
    ];
    for (const answer of told) {
      expect(JSON.stringify(answer)).toContain(quest.campaign.title);
      expect(JSON.stringify(answer)).not.toContain('Secret');
    }
  });

  test('is limited to five times an hour', async () => {
    const member = await newMember();
    const answers = await Promise.all(Array.from({ length: 7 }, () => member.client.rpc('get_own_data')));
    expect(answers.filter(({ error }) => error === null)).toHaveLength(5);
    expect(answers.filter(({ error }) => error?.hint === 'RATE_LIMITED')).toHaveLength(2);
    // A call that no limit counts: an error after it would roll it back.
    expect(await rawCall(member, 'get_own_data?pgrst_scalar=is.null', {})).toMatchObject({
      hint: 'PLAIN_CALL_REQUIRED',
    });
  });
});
