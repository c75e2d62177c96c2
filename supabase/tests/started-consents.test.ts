import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import {
  type Member,
  newMember,
  newOwner,
  newQuest,
  type Owner,
  refusal,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { answerDuring, untilWaiting } from './support/locks.ts';
import { actAs } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const byCall = { verification: 'call', link_url: 'https://shop.example/welcome' };

/** A quest that collects addresses, with two tasks that the project's system completes; returns the tasks' ids. */
async function newCollectingQuest(owner: Owner): Promise<[string, string]> {
  await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
  const { campaign, tasks } = await newQuest(owner, {
    campaign: { collect_emails: true, email_collection_purpose: 'News' },
    task: byCall,
  });
  const task = { title: 'Try it', type: 'signup', instructions_md: 'Try it.', reward_points: 10, max_completions: 5 };
  await unwrap(
    owner.client.rpc('update_campaign', {
      p_campaign_id: campaign.id,
      p_campaign: { title: campaign.title, summary: 'Try it', budget_points: 100 },
      p_tasks: [
        { ...task, ...byCall, id: tasks[0]?.id ?? '' },
        { ...task, ...byCall },
      ],
    }),
  );
  const ids = await unwrap(owner.client.from('tasks').select('id').eq('campaign_id', campaign.id).order('order_index'));
  return [ids[0]?.id ?? '', ids[1]?.id ?? ''];
}

/** Starts a task with one's address and the newsletter's box ticked; returns the token. */
async function start(member: Member, taskId: string): Promise<string> {
  const args = { p_task_id: taskId, p_email: member.email, p_subscribe: true };
  return (await unwrap(member.client.rpc('start_task', args)))[0]?.token ?? '';
}

async function call(owner: Owner, token: string): Promise<string | undefined> {
  const args = { p_startup_id: owner.startup.id, p_call_id: randomUUID(), p_token: token };
  return (await unwrap(asService().rpc('complete_task_by_call', args)))[0]?.code;
}

const listOf = (owner: Owner) => unwrap(owner.client.from('campaign_email_collections').select('email'));

async function subscriptionOf({ email }: Member): Promise<string | undefined> {
  return (await sql().query('select status from public.mailing_list where email = $1', [email])).rows[0]?.status;
}

test('BEY-10 a call about a task that was started before the consent was withdrawn hands no address over', async () => {
  const [owner, member, other, elsewhere] = await Promise.all([newOwner(), newMember(), newMember(), newOwner()]);
  const [first, second] = await newCollectingQuest(owner);
  const tokens = [await start(member, first), await start(member, second)];
  const [theirs, kept] = [await start(other, second), await start(member, (await newCollectingQuest(elsewhere))[0])];
  expect(await call(owner, tokens[0] ?? '')).toBe('COMPLETED');
  expect(await listOf(owner)).toEqual([{ email: member.email }]);
  const mine = member.client.from('email_consents').select('id').eq('project_name', owner.startup.name);
  const [consent] = await unwrap(mine);
  await unwrap(member.client.rpc('withdraw_email_consent', { p_consent_id: consent?.id ?? '' }));

  expect(await call(owner, tokens[1] ?? '')).toBe('COMPLETED');
  expect(await listOf(owner)).toEqual([]);
  const consents = ({ client }: Member) =>
    unwrap(client.from('email_consents').select('project_name, withdrawn_at').order('withdrawn_at'));
  expect(await consents(member)).toEqual([
    { project_name: owner.startup.name, withdrawn_at: expect.any(String) },
    { project_name: elsewhere.startup.name, withdrawn_at: null },
  ]);
  expect(await consents(other)).toEqual([{ project_name: owner.startup.name, withdrawn_at: null }]);
  // What others have consented to, and what the member has consented to elsewhere, is handed over as before.
  expect(await call(owner, theirs)).toBe('COMPLETED');
  expect(await listOf(owner)).toEqual([{ email: other.email }]);
  expect(await call(elsewhere, kept)).toBe('COMPLETED');
  expect(await listOf(elsewhere)).toEqual([{ email: member.email }]);
});

test('BEY-10 a call that arrives while the consent is being withdrawn hands no address over', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const [task] = await newCollectingQuest(owner);
  const token = await start(member, task);
  const [consent] = await consentsOf(member);
  const withdrawing = await sql().connect();
  try {
    await withdrawing.query('begin');
    await actAs(withdrawing, member);
    await withdrawing.query('select public.withdraw_email_consent($1)', [consent?.id]);
    const called = call(owner, token);
    await untilWaiting();
    await withdrawing.query('commit');
    expect(await called).toBe('COMPLETED');
  } finally {
    await withdrawing.query('rollback');
    withdrawing.release();
  }
  expect(await listOf(owner)).toEqual([]);
});

test('MAIL-02 a call that arrives while the member unsubscribes brings them back to no list', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const [task] = await newCollectingQuest(owner);
  const token = await start(member, task);
  const link = await unwrap(asService().rpc('get_unsubscribe_token', { p_email: member.email }));
  const called = await answerDuring(
    (client) => client.query('select public.unsubscribe_from_mailing_list($1)', [link]),
    () => call(owner, token),
  );
  expect(called).toBe('COMPLETED');
  expect(await listOf(owner)).toEqual([{ email: member.email }]);
  expect(await subscriptionOf(member)).toBe('unsubscribed');
});

test('TRUST-02 withdrawing locks proofs before the tokens of started tasks, as a call about a task does', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const [first, second] = await newCollectingQuest(owner);
  await call(owner, await start(member, first));
  await start(member, second);
  const [consent] = await consentsOf(member);
  const calling = await sql().connect();
  try {
    await calling.query('begin');
    await calling.query('select 1 from public.submissions where user_id = $1 for no key update', [member.id]);
    const withdrawn = unwrap(member.client.rpc('withdraw_email_consent', { p_consent_id: consent?.id ?? '' }));
    await untilWaiting();
    await calling.query('select 1 from private.task_tokens where user_id = $1 for update', [member.id]);
    await calling.query('commit');
    expect(await withdrawn).toMatchObject({ withdrawn_at: expect.any(String) });
  } finally {
    await calling.query('rollback');
    calling.release();
  }
});

test('TRUST-27 an address withdrawn from a project five times within a day is not given to it again that day', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const [task, another] = await newCollectingQuest(owner);
  await call(owner, await start(member, task));
  const [consent] = await consentsOf(member);
  const withdrawn = (count: number) =>
    sql().query(
      `insert into public.email_consents (user_id, campaign_id, project_name, quest_title, email, statement, handed_over_at, withdrawn_at)
       select user_id, campaign_id, project_name, quest_title, email, statement, handed_over_at, now()
       from public.email_consents cross join generate_series(1, $2) where id = $1`,
      [consent?.id, count],
    );
  await withdrawn(3);
  await unwrap(member.client.rpc('withdraw_email_consent', { p_consent_id: consent?.id ?? '' }));
  await start(member, another);
  await withdrawn(1);
  const again = { p_task_id: another, p_email: member.email };
  expect(await refusal(member.client.rpc('start_task', again))).toEqual({
    status: 429,
    code: 'RATE_LIMITED',
    message: 'Rate limit exceeded',
  });
  await start(await newMember(), another);
  const collect = (is: boolean) =>
    sql().query('update public.campaigns set collect_emails = $2 where startup_id = $1', [owner.startup.id, is]);
  await collect(false);
  await start(member, another);
  await collect(true);
  const other = await newOwner();
  await start(member, (await newCollectingQuest(other))[0]);
  await sql().query(
    "update public.email_consents set withdrawn_at = withdrawn_at - interval '1 day' where user_id = $1 and withdrawn_at is not null",
    [member.id],
  );
  await start(member, another);
});

test('TRUST-27 so is one that was withdrawn before it was handed over: starting and withdrawing leaves five rows a day', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const [task] = await newCollectingQuest(owner);
  for (let count = 0; count < 5; count += 1) {
    await start(member, task);
    const consent = (await consentsOf(member)).find(({ withdrawn_at }) => withdrawn_at === null);
    await unwrap(member.client.rpc('withdraw_email_consent', { p_consent_id: consent?.id ?? '' }));
  }
  const again = { p_task_id: task, p_email: member.email };
  expect(await refusal(member.client.rpc('start_task', again))).toMatchObject({ code: 'RATE_LIMITED' });
  expect(await consentsOf(member)).toHaveLength(5);
});

const consentsOf = (member: Member) =>
  unwrap(member.client.from('email_consents').select('id, email, withdrawn_at, handed_over_at'));
const eventsOf = async (userId: string, type: string) =>
  (await sql().query('select 1 from public.outbox_events where user_id = $1 and type = $2', [userId, type])).rowCount;

test('BEY-10 an address given at the start of a task is listed, and can be taken back before it is handed over', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const [task] = await newCollectingQuest(owner);
  const token = await start(member, task);
  const [started] = await consentsOf(member);
  expect(started).toMatchObject({ email: member.email, withdrawn_at: null, handed_over_at: null });
  await unwrap(member.client.rpc('withdraw_email_consent', { p_consent_id: started?.id ?? '' }));
  expect(await consentsOf(member)).toMatchObject([{ withdrawn_at: expect.any(String), handed_over_at: null }]);
  expect(await call(owner, token)).toBe('COMPLETED');
  expect(await listOf(owner)).toEqual([]);
  // Nobody had it: neither a receipt nor a request to delete it.
  expect([await eventsOf(member.id, 'EmailHandedOver'), await eventsOf(owner.id, 'EmailWithdrawn')]).toEqual([0, 0]);
});

test('BEY-10 starting again, a member agrees to what is said by then; the same words are no new consent', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const [task] = await newCollectingQuest(owner);
  const given = async () => {
    await start(member, task);
    const columns = 'id, project_name, quest_title, email, statement, given_at';
    const [consent, ...others] = await unwrap(member.client.from('email_consents').select(columns));
    expect(others).toEqual([]);
    return consent;
  };
  const first = await given();
  expect(first?.statement).toContain('for this purpose: News.');
  expect(await given()).toEqual(first);
  const quest = 'id in (select campaign_id from public.tasks where id = $1)';
  await sql().query(`update public.campaigns set email_collection_purpose = 'Offers' where ${quest}`, [task]);
  const second = await given();
  expect(second).toMatchObject({ id: first?.id, statement: expect.stringContaining('for this purpose: Offers.') });
  expect(second?.given_at).not.toBe(first?.given_at);
  await sql().query(`update public.campaigns set title = 'Renamed' where ${quest}`, [task]);
  const renamed = { p_startup_id: owner.startup.id, p_name: `Renamed ${randomUUID()}` };
  await unwrap(owner.client.rpc('update_startup_profile', renamed));
  expect(await given()).toMatchObject({ project_name: renamed.p_name, quest_title: 'Renamed' });
  const before = await given();
  await sql().query("update public.email_consents set email = 'former@example.com' where user_id = $1", [member.id]);
  const another = await given();
  expect(another).toEqual({ ...before, given_at: expect.any(String) });
  expect(another?.given_at).not.toBe(before?.given_at);
});

test('BEY-10 an address given to a quest that asks for none is kept for none, also if the quest asks for one later', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
  const { campaign, taskId } = await newQuest(owner, { task: byCall });
  const token = await start(member, taskId);
  await sql().query('update public.campaigns set collect_emails = true where id = $1', [campaign.id]);
  expect(await call(owner, token)).toBe('COMPLETED');
  expect(await listOf(owner)).toEqual([]);
});

test.each([
  ['https://shop.example/welcome', (token: string) => `https://shop.example/welcome?questboard_token=${token}`],
  ['https://shop.example/#a?b', (token: string) => `https://shop.example/?questboard_token=${token}#a?b`],
  ['https://shop.example/?a#b', (token: string) => `https://shop.example/?a&questboard_token=${token}#b`],
])('BEY-13 the token is added to the query of %s', async (link_url, expected) => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
  const { taskId } = await newQuest(owner, { task: { ...byCall, link_url } });
  const [started] = await unwrap(member.client.rpc('start_task', { p_task_id: taskId }));
  expect(started?.link).toBe(expected(started?.token ?? ''));
});

test('BEY-10 an address is handed over under the consent that was given at the start, with one receipt', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const [first, second] = await newCollectingQuest(owner);
  const tokens = [await start(member, first), await start(member, second), await start(member, first)];
  const [started] = await consentsOf(member);
  for (const token of tokens) await call(owner, token);
  expect(await consentsOf(member)).toEqual([{ ...started, handed_over_at: expect.any(String) }]);
  expect(await eventsOf(member.id, 'EmailHandedOver')).toBe(1);
});

test('BEY-10 withdrawing takes one address from one project: not those of others, nor the same one from other projects', async () => {
  const [owner, another, third] = await Promise.all([newOwner(), newOwner(), newOwner()]);
  const [member, other] = await Promise.all([newMember(), newMember()]);
  const [task] = await newCollectingQuest(owner);
  await call(owner, await start(member, task));
  const [consent] = await consentsOf(member);
  const othersToken = await start(other, task);
  await call(another, await start(member, (await newCollectingQuest(another))[0]));
  const token = await start(member, (await newCollectingQuest(third))[0]);

  await unwrap(member.client.rpc('withdraw_email_consent', { p_consent_id: consent?.id ?? '' }));
  const active = (who: Member) => who.client.from('email_consents').select('project_name').is('withdrawn_at', null);
  expect((await unwrap(active(member))).map(({ project_name }) => project_name).toSorted()).toEqual(
    [another.startup.name, third.startup.name].toSorted(),
  );
  expect(await unwrap(active(other))).toEqual([{ project_name: owner.startup.name }]);
  expect(await listOf(another)).toEqual([{ email: member.email }]);
  expect(await unwrap(another.client.from('submissions').select('participant_email'))).toEqual([
    { participant_email: member.email },
  ]);
  expect([await eventsOf(owner.id, 'EmailWithdrawn'), await eventsOf(another.id, 'EmailWithdrawn')]).toEqual([1, 0]);
  expect([await call(owner, othersToken), await call(third, token)]).toEqual(['COMPLETED', 'COMPLETED']);
  expect(await listOf(owner)).toEqual([{ email: other.email }]);
  expect(await listOf(third)).toEqual([{ email: member.email }]);
});

test("SDASH-09 BEY-10 a quest's list holds what was given to that quest, and nothing of another one of the same project", () =>
  withSettings({ trial_quest_limit: 2 }, async () => {
    const [owner, member, other] = await Promise.all([newOwner(), newMember(), newMember()]);
    const collecting = { collect_emails: true, email_collection_purpose: 'News' };
    const lists = [];
    for (const who of [member, other]) {
      const { campaign, taskId } = await newQuest(owner, { campaign: collecting });
      await unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done', p_email: who.email }));
      lists.push({ p_campaign_id: campaign.id });
    }
    const emails = async (list = { p_campaign_id: '' }) =>
      (await unwrap(owner.client.rpc('list_collected_emails', list))).map(({ email }) => email);
    expect([await emails(lists[0]), await emails(lists[1])]).toEqual([[member.email], [other.email]]);
  }));

test('BEY-10 a deleted owner ends the consents to share an address with the project and removes what it collected, and no other ones', async () => {
  const [owner, another, member, giver] = await Promise.all([newOwner(), newOwner(), newMember(), newMember()]);
  for (const one of [owner, another]) {
    const [task] = await newCollectingQuest(one);
    await start(member, task);
    await call(one, await start(giver, task));
    expect(await listOf(one)).toEqual([{ email: giver.email }]);
  }
  await unwrap(asService().rpc('anonymise_user', { p_user_id: owner.id }));
  const collected =
    'select c.startup_id from public.campaign_email_collections e join public.campaigns c on c.id = e.campaign_id where e.email = $1';
  expect((await sql().query(collected, [giver.email])).rows).toEqual([{ startup_id: another.startup.id }]);
  const active = member.client.from('email_consents').select('project_name').is('withdrawn_at', null);
  expect(await unwrap(active)).toEqual([{ project_name: another.startup.name }]);
});

test('BEY-10 a deleted quest ends the consents to share an address with it, handed over or not', async () => {
  const [owner, member, other, former] = await Promise.all([newOwner(), newMember(), newMember(), newMember()]);
  const [task] = await newCollectingQuest(owner);
  await call(owner, await start(member, task));
  for (const who of [other, former]) await start(who, task);
  await sql().query("update public.email_consents set withdrawn_at = '2026-01-01' where user_id = $1", [former.id]);
  const [quest] = await unwrap(owner.client.from('tasks').select('campaign_id').eq('id', task));
  await unwrap(owner.client.rpc('delete_campaign', { p_campaign_id: quest?.campaign_id ?? '' }));
  for (const who of [member, other]) {
    expect(await consentsOf(who)).toMatchObject([{ withdrawn_at: expect.any(String) }]);
  }
  const [earlier] = await consentsOf(former);
  expect(Date.parse(earlier?.withdrawn_at ?? '')).toBe(Date.parse('2026-01-01T00:00:00Z'));
});

test('TRUST-25 a call about a task that was started before an opt-out does not end it', async () => {
  const [owner, member, other] = await Promise.all([newOwner(), newMember(), newMember()]);
  const [task] = await newCollectingQuest(owner);
  const [token, othersToken] = [await start(member, task), await start(other, task)];
  const link = await unwrap(asService().rpc('get_unsubscribe_token', { p_email: member.email }));
  const unsubscribed = await asAnon().rpc('unsubscribe_from_mailing_list', { p_token: link });
  expect(unsubscribed.error).toBeNull();

  expect(await call(owner, token)).toBe('COMPLETED');
  expect(await subscriptionOf(member)).toBe('unsubscribed');
  expect(await unwrap(asService().rpc('is_opted_out', { p_email: member.email }))).toBe(true);
  // Who ticked the box and did not opt out is subscribed.
  expect(await call(owner, othersToken)).toBe('COMPLETED');
  expect(await subscriptionOf(other)).toBe('active');
});

test('TRUST-25 nor does one of a member who has another address by now', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const [task] = await newCollectingQuest(owner);
  const token = await start(member, task);
  const moved = { p_user_id: member.id, p_email: `moved-${member.email}`, p_changed_at: new Date().toISOString() };
  expect(await unwrap(asService().rpc('record_changed_email', moved))).toBe(true);
  const link = await unwrap(asService().rpc('get_unsubscribe_token', { p_email: member.email }));
  await asAnon().rpc('unsubscribe_from_mailing_list', { p_token: link }).throwOnError();
  expect(await call(owner, token)).toBe('COMPLETED');
  expect(await subscriptionOf(member)).toBe('unsubscribed');
});

test('TRUST-25 ticking the box again after an opt-out subscribes again', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const [task] = await newCollectingQuest(owner);
  await start(member, task);
  const link = await unwrap(asService().rpc('get_unsubscribe_token', { p_email: member.email }));
  await asAnon().rpc('unsubscribe_from_mailing_list', { p_token: link });
  expect(await call(owner, await start(member, task))).toBe('COMPLETED');
  expect(await subscriptionOf(member)).toBe('active');
});
