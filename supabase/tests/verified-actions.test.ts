import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  type Owner,
  projectPoints,
  type Quest,
  refusal,
  submissionsOf,
  suspend,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { update } from './support/quest-updates.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const LINK = 'https://shop.example/welcome?from=board#start';

const start = (member: Member, taskId: string) => member.client.rpc('start_task', { p_task_id: taskId });
const tokenOf = async (member: Member, taskId: string) => (await unwrap(start(member, taskId)))[0]?.token ?? '';

/** What the function complete-task does after verifying the signature. */
async function call(owner: Owner, token: string, id: string = randomUUID()) {
  const args = { p_startup_id: owner.startup.id, p_call_id: id, p_token: token };
  return (await unwrap(asService().rpc('complete_task_by_call', args)))[0];
}

async function callQuest(owner: Owner, task: Record<string, number | string> = {}): Promise<Quest> {
  await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
  return newQuest(owner, { task: { verification: 'call', link_url: LINK, ...task } });
}

async function checkQuest(owner: Owner): Promise<Quest> {
  const target = 'https://shop.example/completed';
  await unwrap(asService().rpc('record_endpoint_test', { p_user_id: owner.id, p_url: target }));
  return newQuest(owner, { task: { verification: 'check', link_url: LINK, check_target: target } });
}

test.each([
  ['start_task', 'user', 30],
  ['check_task', 'user', 10],
  ['check_task', 'project', 300],
] as const)('TRUST-24 %s, per %s: %i times a minute and no more', async (action, per, most) => {
  const [owner, member] = [await newOwner(), await newMember()];
  const { taskId } = action === 'start_task' ? await callQuest(owner) : await checkQuest(owner);
  const subject = per === 'user' ? `user:${member.id}` : `project:${owner.startup.id}`;
  const limit = [subject, action];
  await sql().query(
    `insert into private.rate_limits (subject, action, hits, expires_at)
     values ($1, $2, array_fill(now(), array[$3 - 1]), now() + interval '1 minute')`,
    [...limit, most],
  );
  const act = () =>
    action === 'start_task'
      ? start(member, taskId)
      : asService().rpc('begin_check', { p_user_id: member.id, p_task_id: taskId });
  expect((await act()).error).toBeNull();
  const { rows } = await sql().query(
    `select round(extract(epoch from expires_at - hits[cardinality(hits)]))::integer as seconds from private.rate_limits
     where subject = $1 and action = $2`,
    limit,
  );
  expect(rows).toEqual([{ seconds: 60 }]);
  expect(await refusal(act())).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
});

describe('signed calls', () => {
  test("BEY-13 the member's link carries a token and nothing else; the call pays once, however often it is sent", async () => {
    const owner = await newOwner();
    const member = await newMember();
    const { taskId, campaign } = await callQuest(owner, { title: 'Be told of by a call' });
    const [started] = await unwrap(start(member, taskId));
    const token = started?.token ?? '';
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(started?.link).toBe(`https://shop.example/welcome?from=board&questboard_token=${token}#start`);
    expect(await tokenOf(member, taskId)).toBe(token);

    const id = randomUUID();
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, () => call(owner, token, id)),
      ...Array.from({ length: 50 }, () => call(owner, token)),
    ]);
    expect(answers.filter((answer) => answer?.status !== 200)).toEqual([]);
    expect(new Set(answers.slice(0, 50).map((answer) => answer?.code)).size).toBe(1);
    expect(answers.filter((answer) => answer?.code === 'COMPLETED').length).toBeGreaterThanOrEqual(1);
    expect(await submissionsOf(taskId)).toMatchObject([
      { user_id: member.id, status: 'approved', reviewed_by: 'call' },
    ]);
    expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 450, reserved: 40 });
    expect(await ledgerProblems()).toEqual([]);
    const calls = await unwrap(owner.client.rpc('list_verification_calls', { p_startup_id: owner.startup.id }));
    expect(calls).toHaveLength(50);
    expect(calls[0]).toMatchObject({ kind: 'call', status: 200, token, task_title: 'Be told of by a call' });
  });

  test('BEY-13 unknown and foreign tokens and a reused id are refused with their own sentences, and submit nothing', async () => {
    const [owner, other, member] = [await newOwner(), await newOwner(), await newMember()];
    const { taskId } = await callQuest(owner);
    const token = await tokenOf(member, taskId);
    expect(await call(owner, 'f'.repeat(32))).toEqual({
      status: 404,
      code: 'TOKEN_UNKNOWN',
      message: 'This token is not known. Please send the one from the member’s link.'.replace('’', "'"),
    });
    expect(await call(other, token)).toEqual({
      status: 403,
      code: 'TOKEN_OF_ANOTHER_PROJECT',
      message: 'This token belongs to a task of another project.',
    });
    // A token may have up to 64 characters; a malformed one may have any number.
    for (const long of ['f'.repeat(64), 'f'.repeat(65)]) {
      expect(await call(owner, long)).toMatchObject({ status: 404, code: 'TOKEN_UNKNOWN' });
    }
    const id = randomUUID();
    await call(owner, 'f'.repeat(32), id);
    expect(await call(owner, token, id)).toMatchObject({ status: 409, code: 'CALL_ID_REUSED' });
    const longer = "update private.verification_calls set message = repeat('x', 501) where startup_id = $1";
    await expect(sql().query(longer, [owner.startup.id])).rejects.toThrow('verification_calls_message_check');
    expect(await submissionsOf(taskId)).toEqual([]);
    expect(await walletOf(member.id)).toEqual({ points: 0, lifetime: 0 });
  });

  test('BEY-13 SEC-13 the log says what became of each call, and names no task of another project', async () => {
    const [owner, other, member] = [await newOwner(), await newOwner(), await newMember()];
    const token = await tokenOf(member, (await callQuest(owner)).taskId);
    await call(other, token);
    await call(owner, 'f'.repeat(32));
    await call(owner, token);
    const logOf = async ({ client, startup }: Owner) =>
      (await unwrap(client.rpc('list_verification_calls', { p_startup_id: startup.id }))).map(
        ({ status, code, task_title }) => [status, code, task_title],
      );
    expect(await logOf(other)).toEqual([[403, 'TOKEN_OF_ANOTHER_PROJECT', null]]);
    expect(await logOf(owner)).toEqual([
      [200, 'COMPLETED', 'Try the product'],
      [404, 'TOKEN_UNKNOWN', null],
    ]);
  });

  test('BEY-13 a call completes nothing once its task asks for something else', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { taskId, campaign, tasks } = await callQuest(owner);
    const token = await tokenOf(member, taskId);
    const reviewed = tasks.map((task) => ({ ...task, verification: 'review' }));
    await unwrap(update(owner, campaign.id, reviewed));
    expect(await call(owner, token)).toMatchObject({ status: 409, code: 'WRONG_VERIFICATION' });
    expect(await submissionsOf(taskId)).toEqual([]);
  });

  test('BEY-13 two projects may use the same id for their calls', async () => {
    const member = await newMember();
    const id = randomUUID();
    const calls: (() => ReturnType<typeof call>)[] = [];
    for (const owner of [await newOwner(), await newOwner()]) {
      const token = await tokenOf(member, (await callQuest(owner)).taskId);
      calls.push(() => call(owner, token, id));
    }
    // Twice, because whose call is found by the id alone is chance.
    for (const send of [...calls, ...calls]) expect(await send()).toMatchObject({ status: 200, code: 'COMPLETED' });
    expect(await walletOf(member.id)).toEqual({ points: 20, lifetime: 20 });
  });

  test('BEY-13 TRUST-08 a repeated call gets its first answer, even after its payment was reversed; a new one is left pending', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    const [one, two] = [await newMember(), await newMember()];
    // The member's proof is found after the other one, whether rows are read in their order or by the index.
    const [other, member] = one.id < two.id ? [one, two] : [two, one];
    const { taskId } = await callQuest(owner);
    const token = await tokenOf(member, taskId);
    const id = randomUUID();
    // Also where somebody else has completed the task.
    expect(await call(owner, await tokenOf(other, taskId))).toMatchObject({ code: 'COMPLETED' });
    const completed = await call(owner, token, id);
    expect(completed).toMatchObject({ status: 200, code: 'COMPLETED' });
    expect(await call(owner, token, id)).toEqual(completed);
    const { data: paid } = await member.client.from('submissions').select('id').eq('task_id', taskId).single();
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: paid?.id ?? '', p_note: 'Test account' }));
    expect(await call(owner, token, id)).toEqual(completed);
    const own = async () => (await submissionsOf(taskId)).filter(({ user_id }) => user_id === member.id);
    expect(await own()).toMatchObject([{ status: 'rejected' }]);
    // However often: it is not done before somebody has decided.
    for (const _ of [1, 2]) expect(await call(owner, token)).toMatchObject({ status: 200, code: 'WAITING' });
    expect(await own()).toMatchObject([{ status: 'pending' }]);
    expect((await walletOf(member.id)).points).toBe(0);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-13 TRUST-02 TRUST-07 a refused call can be repeated with the same id once its reason is gone, and concurrent repeats get one answer', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { taskId, campaign } = await callQuest(owner);
    const token = await tokenOf(member, taskId);
    const id = randomUUID();
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    expect(await call(owner, token, id)).toMatchObject({ status: 409, code: 'QUEST_NOT_OPEN' });
    await unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: campaign.id }));
    await suspend(member);
    expect(await call(owner, token, id)).toMatchObject({ status: 409, code: 'MEMBER_NOT_ACTIVE' });
    await sql().query('update public.user_profiles set suspended_at = null where user_id = $1', [member.id]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(owner, token, id)));
    expect(answers.map((answer) => answer?.code)).toEqual(answers.map(() => 'COMPLETED'));
    expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
  });

  test('BEY-13 TRUST-04 the last slot has one winner among twenty members', async () => {
    const owner = await newOwner();
    const { taskId } = await callQuest(owner, { max_completions: 1 });
    const members = await Promise.all(Array.from({ length: 20 }, () => newMember()));
    const tokens = await Promise.all(members.map((member) => tokenOf(member, taskId)));
    const answers = await Promise.all(tokens.map((token) => call(owner, token)));
    expect(answers.filter((answer) => answer?.code === 'COMPLETED')).toHaveLength(1);
    expect(answers.filter((answer) => answer?.code === 'QUEST_FULL')).toHaveLength(19);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-13 SEC-13 secrets are shown once, at most two at a time, to the owner only; revoking is audited', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const startup = { p_startup_id: owner.startup.id };
    const first = await unwrap(owner.client.rpc('create_signing_secret', startup));
    const second = await unwrap(owner.client.rpc('create_signing_secret', startup));
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(await refusal(owner.client.rpc('create_signing_secret', startup))).toMatchObject({
      status: 409,
      code: 'SIGNING_SECRET_LIMIT',
    });
    expect(await unwrap(asService().rpc('get_signing_secrets', startup))).toEqual([first, second]);
    const listed = await unwrap(owner.client.rpc('list_signing_secrets', startup));
    expect(listed.map(({ last_characters }) => last_characters)).toEqual([first.slice(-4), second.slice(-4)]);
    expect(await unwrap(other.client.rpc('list_signing_secrets', startup))).toEqual([]);
    expect(await unwrap(other.client.rpc('list_verification_calls', startup))).toEqual([]);
    expect(await refusal(other.client.rpc('create_signing_secret', startup))).toEqual(FORBIDDEN);
    const revoke = (who: Owner, { p_startup_id } = startup) =>
      who.client.rpc('revoke_signing_secret', { p_startup_id, p_secret_id: listed[0]?.id ?? '' });
    expect(await refusal(revoke(other))).toEqual(FORBIDDEN);
    await revoke(other, { p_startup_id: other.startup.id }).throwOnError();
    expect(await unwrap(asService().rpc('get_signing_secrets', startup))).toEqual([first, second]);
    for (const _ of [1, 2]) await revoke(owner).throwOnError();
    expect(await unwrap(asService().rpc('get_signing_secrets', startup))).toEqual([second]);
    const { rows } = await sql().query<{ secret: Buffer }>(
      'select secret from private.signing_secrets where startup_id = $1',
      [owner.startup.id],
    );
    expect(rows[0]?.secret.toString('latin1')).not.toContain(second);
    const log =
      "select action, before, after from public.audit_log where actor_id = $1 and action like 'signing_secret.%' order by id";
    const [one, two] = [first, second].map((secret) => ({ ends_with: secret.slice(-4) }));
    expect((await sql().query(log, [owner.id])).rows).toEqual([
      { action: 'signing_secret.create', before: null, after: one },
      { action: 'signing_secret.create', before: null, after: two },
      { action: 'signing_secret.revoke', before: one, after: null },
    ]);
  });
});

describe('checks', () => {
  const finish = async (member: Member, taskId: string, problem?: string) => {
    const args = { p_user_id: member.id, p_task_id: taskId, ...(problem && { p_problem: problem }) };
    return (await unwrap(asService().rpc('finish_check', args)))[0];
  };

  test('BEY-13 a confirmed check pays once, however many finish together; a failed one pays nothing and can be repeated', async () => {
    const [owner, member, other] = [await newOwner(), await newMember(), await newMember()];
    const { campaign, taskId } = await checkQuest(owner);
    await tokenOf(other, taskId);
    const token = await tokenOf(member, taskId);
    const question = await unwrap(asService().rpc('begin_check', { p_user_id: member.id, p_task_id: taskId }));
    expect(question).toEqual([{ source: 'endpoint', target: 'https://shop.example/completed', token }]);
    expect(await finish(member, taskId, 'The project did not answer.')).toMatchObject({ code: 'NOT_COMPLETED' });
    expect(await submissionsOf(taskId)).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => finish(member, taskId)));
    expect(answers.map((each) => each?.code).toSorted()).toEqual([...Array(19).fill('ALREADY_COMPLETED'), 'COMPLETED']);
    expect(await submissionsOf(taskId)).toMatchObject([{ status: 'approved', reviewed_by: 'check' }]);
    expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
    expect(await refusal(asService().rpc('begin_check', { p_user_id: member.id, p_task_id: taskId }))).toMatchObject({
      code: 'ALREADY_SUBMITTED',
    });
    await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
    expect(await finish(member, taskId)).toMatchObject({ code: 'ALREADY_COMPLETED' });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-13 what others have completed, and a member elsewhere, keeps nobody from a check; the log says what it has found', async () => {
    const [owner, member, other] = [await newOwner(), await newMember(), await newMember()];
    const [quest, elsewhere] = [await checkQuest(owner), await checkQuest(await newOwner())];
    const token = await tokenOf(member, quest.taskId);
    for (const [who, { taskId }] of [
      [other, quest],
      [member, elsewhere],
    ] as const) {
      await tokenOf(who, taskId);
      expect(await finish(who, taskId)).toMatchObject({ code: 'COMPLETED' });
    }
    const question = asService().rpc('begin_check', { p_user_id: member.id, p_task_id: quest.taskId });
    expect(await unwrap(question)).toMatchObject([{ token }]);
    const found = { status: 200, code: 'NOT_COMPLETED', message: 'x'.repeat(500) };
    expect(await finish(member, quest.taskId, 'x'.repeat(501))).toEqual(found);
    const [last] = await unwrap(owner.client.rpc('list_verification_calls', { p_startup_id: owner.startup.id }));
    expect(last).toMatchObject({ ...found, kind: 'check', call_id: null, token, task_title: 'Try the product' });
  });

  test('BEY-13 only tested https addresses without port and user name are accepted', async () => {
    const owner = await newOwner();
    const save = (check_target: string, check_source = 'endpoint') =>
      newQuest(owner, { task: { verification: 'check', link_url: LINK, check_target, check_source } });
    await expect(save('https://shop.example/completed')).rejects.toThrow('ENDPOINT_NOT_TESTED');
    const written = ['http://shop.example/', 'https://shop.example:8443/', 'https://a:b@shop.example/', 'shop'];
    for (const wrong of [...written, 'https://me@shop.example/', 'https://my shop.example/'])
      await expect(save(wrong)).rejects.toThrow('INVALID_CHECK');
    await expect(save('not a repository', 'github_pull_request')).rejects.toThrow('INVALID_CHECK');
    await expect(save('questboard/app', 'github_pull_request')).resolves.toBeDefined();
  });

  test('C-76 BEY-10 the address that a quest collects is given when the member starts', async () => {
    const owner = await newOwner();
    const member = await newMember();
    await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
    const { taskId, campaign } = await newQuest(owner, {
      campaign: { collect_emails: true },
      task: { verification: 'call', link_url: LINK },
    });
    expect(await refusal(start(member, taskId))).toMatchObject({ code: 'EMAIL_REQUIRED' });
    const foreign = member.client.rpc('start_task', { p_task_id: taskId, p_email: 'somebody@example.com' });
    expect(await refusal(foreign)).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
    const [started] = await unwrap(
      member.client.rpc('start_task', { p_task_id: taskId, p_email: member.email.toUpperCase() }),
    );
    expect(started?.link).not.toContain('example.com');
    await call(owner, started?.token ?? '');
    const collected = await unwrap(owner.client.rpc('list_collected_emails', { p_campaign_id: campaign.id }));
    expect(collected.map(({ email }) => email)).toEqual([member.email]);
  });

  test('BEY-10 C-75 nobody is said to have agreed to a purpose that they were not asked about', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
    const { taskId, tasks, campaign } = await newQuest(owner, {
      campaign: { collect_emails: true, email_collection_purpose: 'to send the result' },
      task: { verification: 'call', link_url: LINK },
    });
    const setOut = () => unwrap(member.client.rpc('start_task', { p_task_id: taskId, p_email: member.email }));
    const [started] = await setOut();
    const save = (email_collection_purpose: string) =>
      unwrap(
        owner.client.rpc('update_campaign', {
          p_campaign_id: campaign.id,
          p_campaign: { title: 'T', summary: 'S', budget_points: 50, email_collection_purpose },
          p_tasks: tasks.map((task) => ({ ...task })),
        }),
      );
    await save('to send the result');
    await save('to sell it on');
    expect(await call(owner, started?.token ?? '')).toMatchObject({ code: 'COMPLETED' });
    expect(await unwrap(member.client.from('email_consents').select('statement, handed_over_at'))).toEqual([
      { statement: expect.stringContaining('to send the result'), handed_over_at: null },
    ]);
    expect(await unwrap(owner.client.rpc('list_collected_emails', { p_campaign_id: campaign.id }))).toEqual([]);
  });

  test('BEY-10 nor to another project: who started before it was renamed keeps the address, or reads the new sentence', async () => {
    const owner = await newOwner();
    const [early, again] = [await newMember(), await newMember()];
    await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
    const { taskId, campaign } = await newQuest(owner, {
      campaign: { collect_emails: true },
      task: { verification: 'call', link_url: LINK },
    });
    const statement = () => unwrap(owner.client.rpc('get_consent_statement', { p_campaign_id: campaign.id }));
    const setOut = (who: Member, p_consent: string) =>
      who.client.rpc('start_task', { p_task_id: taskId, p_email: who.email, p_consent });
    const former = await statement();
    const [started] = await unwrap(setOut(early, former));
    await unwrap(setOut(again, former));
    const renamed = { p_startup_id: owner.startup.id, p_name: `Renamed ${randomUUID()}` };
    await unwrap(owner.client.rpc('update_startup_profile', renamed));
    expect(await refusal(setOut(again, former))).toMatchObject({ status: 409, code: 'CONSENT_CHANGED' });
    const [restarted] = await unwrap(setOut(again, await statement()));
    for (const token of [started?.token, restarted?.token])
      expect(await call(owner, token ?? '')).toMatchObject({ code: 'COMPLETED' });
    const collected = await unwrap(owner.client.rpc('list_collected_emails', { p_campaign_id: campaign.id }));
    expect(collected.map(({ email }) => email)).toEqual([again.email]);
  });
});

test("TRUST-28 an erased member's token is deleted, so that no call can refer to them", async () => {
  const [owner, member] = [await newOwner(), await newMember()];
  const { taskId } = await callQuest(owner);
  const token = await tokenOf(member, taskId);
  await asService().rpc('anonymise_user', { p_user_id: member.id });
  expect(await call(owner, token)).toMatchObject({ status: 404, code: 'TOKEN_UNKNOWN' });
});
