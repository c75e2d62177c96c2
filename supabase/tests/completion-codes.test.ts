import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  projectPoints,
  refusal,
  SUSPENDED,
  submissionsOf,
  suspend,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { rawCall } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const codeQuest = (owner: Owner, task: Record<string, Json>) =>
  newQuest(owner, { task: { verification: 'code', ...task } });

const enter = (member: Member, taskId: string, code: string) =>
  member.client.rpc('submit_completion_code', { p_task_id: taskId, p_code: code });

describe('completion codes', () => {
  test('BEY-13 a shared code completes the task for everybody who has it, pays once each, and is recorded', () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newVerifiedOwner();
      const { taskId, campaign } = await codeQuest(owner, { shared_code: 'Lantern-2026'.padEnd(200, '-') });
      const [member, other] = [await newMember(), await newMember()];
      const answers = await Promise.all(Array.from({ length: 20 }, () => enter(member, taskId, ' lantern 2026 ')));
      expect(answers.filter(({ data }) => data?.is_accepted)).toHaveLength(1);
      expect(await unwrap(enter(other, taskId, 'LANTERN2026'))).toMatchObject({ is_accepted: true });
      expect(await submissionsOf(taskId)).toEqual(
        [member, other].map(({ id }) => ({
          user_id: id,
          status: 'approved',
          reviewed_by: 'code',
          review_note: 'Verified: the completion code was right',
        })),
      );
      expect([await walletOf(member.id), await walletOf(other.id)]).toEqual([
        { points: 10, lifetime: 10 },
        { points: 10, lifetime: 10 },
      ]);
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 450, reserved: 30 });
      const { rows } = await sql().query(
        "select actor_id, note from public.submission_history where user_id = $1 and action = 'approved'",
        [member.id],
      );
      expect(rows).toEqual([{ actor_id: 'code', note: 'Verified: the completion code was right' }]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-13 TRUST-02 a single-use code works once, also when twenty members enter it concurrently', async () => {
    const owner = await newOwner();
    const { taskId } = await codeQuest(owner, { single_use_codes: ['FIRST-CODE', 'OTHER-CODE'], max_completions: 20 });
    const members = await Promise.all(Array.from({ length: 20 }, () => newMember()));
    const answers = await Promise.all(members.map((member) => enter(member, taskId, 'first-code')));
    expect(answers.filter(({ data }) => data?.is_accepted)).toHaveLength(1);
    expect(await submissionsOf(taskId)).toHaveLength(1);
    const state = await unwrap(
      owner.client.rpc('get_task_verifications', {
        p_campaign_id: (await unwrap(owner.client.from('tasks').select().eq('id', taskId).single())).campaign_id,
      }),
    );
    expect(state).toMatchObject([{ has_shared_code: false, codes_left: 1, codes_used: 1 }]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-13 after five wrong codes the member is blocked for an hour, also for concurrent tries; the right one is refused too', async () => {
    const owner = await newOwner();
    const { taskId } = await codeQuest(owner, { shared_code: 'LANTERN2026' });
    const [member, other] = [await newMember(), await newMember()];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => enter(member, taskId, `GUESS${index}00`)),
    );
    expect(answers.filter(({ error }) => !error).map(({ data }) => data?.is_accepted)).toEqual(Array(5).fill(false));
    expect(await refusal(enter(member, taskId, 'LANTERN2026'))).toEqual({
      status: 429,
      code: 'CODE_TRIES_USED',
      message: 'Too many wrong codes. Please try again in an hour.',
    });
    expect(await unwrap(enter(other, taskId, 'WRONG1'))).toEqual({ is_accepted: false, tries_left: 4 });
    expect(await submissionsOf(taskId)).toEqual([]);
    expect(await walletOf(member.id)).toEqual({ points: 0, lifetime: 0 });
    // The whole task has a limit too, against distributed guessing.
    await sql().query(
      `insert into private.rate_limits values ('task:' || $1, 'wrong_code', array_fill(now(), array[500]), now() + interval '1 hour')
       on conflict (subject, action) do update set hits = excluded.hits`,
      [taskId],
    );
    expect(await refusal(enter(other, taskId, 'LANTERN2026'))).toMatchObject({ status: 429, code: 'CODES_PAUSED' });
    // That ends with the hour.
    await sql().query(
      `update private.rate_limits set hits = array_fill(now() - interval '61 minutes', array[500]) where subject = 'task:' || $1`,
      [taskId],
    );
    expect(await unwrap(enter(other, taskId, 'LANTERN2026'))).toMatchObject({ is_accepted: true });
  });

  test('BEY-13 wrong codes count for their task and the right one does not, for an hour; what was tried elsewhere does not either', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { taskId } = await codeQuest(owner, { shared_code: 'LANTERN2026' });
    const elsewhere = await codeQuest(await newOwner(), { shared_code: 'LANTERN2026' });
    await sql().query(
      `insert into private.rate_limits (subject, action, hits, expires_at)
       select subject, action, array_fill(now(), array[500]), now() + interval '1 hour'
       from (values ('task:' || $1, 'wrong_code'), ('user:' || $2, 'start_task')) o (subject, action)`,
      [elsewhere.taskId, member.id],
    );
    const wrongOnes = async () =>
      (
        await sql().query("select cardinality(hits) as count from private.rate_limits where subject = 'task:' || $1", [
          taskId,
        ])
      ).rows[0]?.count;
    for (const tries_left of [4, 3, 2, 1, 0])
      expect(await unwrap(enter(member, taskId, 'GUESS100'))).toEqual({ is_accepted: false, tries_left });
    expect(await refusal(enter(member, taskId, 'LANTERN2026'))).toMatchObject({ code: 'CODE_TRIES_USED' });
    await sql().query(
      "update private.rate_limits set hits = array_fill(now() - interval '61 minutes', array[5]) where subject = 'user:' || $1",
      [member.id],
    );
    expect(await unwrap(enter(member, taskId, 'LANTERN2026'))).toEqual({ is_accepted: true, tries_left: 4 });
    expect(await wrongOnes()).toBe(5);
  });

  test('BEY-13 a caller who filters or casts the answer cannot take the attempt back, and so guess without limit', async () => {
    const owner = await newOwner();
    const { taskId } = await codeQuest(owner, { shared_code: 'LANTERN2026' });
    const member = await newMember();
    for (const code of ['GUESS100', 'GUESS200', 'LANTERN2026']) {
      for (const query of ['is_accepted=is.true', 'select=x:is_accepted->>0::int4']) {
        const call = `submit_completion_code?${query}`;
        const answer = await rawCall(member, call, { p_task_id: taskId, p_code: code });
        expect([answer.status, answer.hint]).toEqual([400, 'PLAIN_CALL_REQUIRED']);
      }
    }
    expect(await submissionsOf(taskId)).toEqual([]);
    expect(await unwrap(enter(member, taskId, 'GUESS300'))).toEqual({ is_accepted: false, tries_left: 4 });
  });

  test('BEY-13 a caller who skips the answer, and would refuse the price of the right code, cannot take the attempt back', async () => {
    const owner = await newOwner();
    const { taskId } = await codeQuest(owner, { shared_code: 'LANTERN2026' });
    const member = await newMember();
    // If the second row of an answer were missing, that error would roll back the count, and the price's error tell the right code.
    for (const code of ['GUESS100', 'GUESS200', 'GUESS300', 'GUESS400', 'GUESS500']) {
      await member.client
        .rpc('submit_completion_code', { p_task_id: taskId, p_code: code, p_expected_reward: 11 })
        .range(1, 1)
        .single();
    }
    expect(await refusal(enter(member, taskId, 'LANTERN2026'))).toMatchObject({ code: 'CODE_TRIES_USED' });
  });

  test('BEY-10 BEY-13 a code hands no address over for what the member has not read', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { taskId, campaign } = await newQuest(owner, {
      campaign: { collect_emails: true },
      task: { verification: 'code', shared_code: 'LANTERN2026' },
    });
    const send = (p_consent: string) =>
      member.client.rpc('submit_completion_code', {
        p_task_id: taskId,
        p_code: 'LANTERN2026',
        p_email: member.email,
        p_consent,
      });
    expect(await refusal(send('I agree to something else.'))).toMatchObject({ status: 409, code: 'CONSENT_CHANGED' });
    const statement = await unwrap(asAnon().rpc('get_consent_statement', { p_campaign_id: campaign.id }));
    expect(await unwrap(send(statement))).toMatchObject({ is_accepted: true });
    expect(await unwrap(member.client.from('email_consents').select('statement'))).toEqual([{ statement }]);
  });

  test('BEY-13 nobody can read a code again, and the same code has a different hash in each task', async () => {
    const owner = await newOwner();
    const { taskId } = await codeQuest(owner, { shared_code: 'LANTERN2026', reward_points: 10 });
    const other = await newOwner();
    const second = await codeQuest(other, { shared_code: 'LANTERN2026' });
    const { rows } = await sql().query<{ code_hash: Buffer }>(
      'select code_hash from private.completion_codes where task_id = any ($1)',
      [[taskId, second.taskId]],
    );
    expect(new Set(rows.map(({ code_hash }) => code_hash.toString('hex'))).size).toBe(2);
    for (const { code_hash } of rows) expect(code_hash.toString('latin1')).not.toContain('LANTERN');
    const audit = await sql().query('select * from public.audit_log where actor_id = $1', [owner.id]);
    expect(JSON.stringify(audit.rows)).not.toContain('LANTERN');
  });

  test('BEY-13 TRUST-27 a thousand codes are taken at a time, and no more', async () => {
    const codes = (count: number) => Array.from({ length: count }, (_, n) => `LANTERN${n}`);
    const owner = await newOwner();
    await expect(codeQuest(owner, { single_use_codes: codes(1001) })).rejects.toThrow('CODES_RANGE');
    // They are counted before they are looked at one by one.
    await expect(codeQuest(owner, { single_use_codes: [...codes(1000), 'short'] })).rejects.toThrow('CODES_RANGE');
    await codeQuest(owner, { single_use_codes: codes(1000) });
  });

  test('BEY-13 codes that are no list are not left out in silence', async () => {
    const owner = await newOwner();
    for (const codes of [{ code: 'FIRST-CODE' }, '', true, [null]])
      await expect(codeQuest(owner, { single_use_codes: codes })).rejects.toThrow('COMPLETION_CODE_FORMAT');
    await expect(codeQuest(owner, { single_use_codes: null })).rejects.toThrow('CODES_REQUIRED');
    const { taskId } = await codeQuest(owner, { single_use_codes: 'FIRST-CODE' });
    expect(await unwrap(enter(await newMember(), taskId, 'FIRST-CODE'))).toMatchObject({ is_accepted: true });
  });

  test('BEY-13 TRUST-27 a task takes ten thousand codes and no more, in however many saves', async () => {
    const owner = await newOwner();
    const { taskId, tasks, campaign } = await codeQuest(owner, { single_use_codes: ['FIRST-CODE'] });
    await sql().query(
      `insert into private.completion_codes (task_id, code_hash, is_shared)
       select $1, sha256(n::text::bytea), false from generate_series(1, 9998) n`,
      [taskId],
    );
    const add = (...single_use_codes: string[]) =>
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'T', summary: 'S', budget_points: 50 },
        p_tasks: tasks.map((task) => ({ ...task, single_use_codes })),
      });
    expect(await refusal(add('SECOND-CODE', 'THIRD-CODE'))).toEqual({
      status: 409,
      code: 'CODES_LIMIT',
      message: 'A task can have at most 10,000 unused codes',
    });
    // What has been used makes room.
    await sql().query(
      `insert into private.completion_codes (task_id, code_hash, is_shared, submission_id, used_at)
       values ($1, 'used', false, gen_random_uuid(), now())`,
      [taskId],
    );
    await unwrap(add('SECOND-CODE', 'FIRST-CODE'));
  });

  test('BEY-13 a new shared code replaces the former one, and an edit without a code keeps it', async () => {
    const owner = await newOwner();
    const member = await newMember();
    const { taskId, campaign } = await codeQuest(owner, { shared_code: 'LANTERN2026' });
    const save = (task: Record<string, string>) =>
      unwrap(
        owner.client.rpc('update_campaign', {
          p_campaign_id: campaign.id,
          p_campaign: { title: 'Edited', summary: 'Edited', budget_points: 500 },
          p_tasks: [{ id: taskId, title: 'T', instructions_md: 'I', reward_points: 10, max_completions: 5, ...task }],
        }),
      );
    await save({ shared_code: 'HARBOUR77' });
    await save({});
    expect(await unwrap(enter(member, taskId, 'LANTERN2026'))).toMatchObject({ is_accepted: false });
    expect(await unwrap(enter(member, taskId, 'HARBOUR77'))).toMatchObject({ is_accepted: true });
    await save({ verification: 'review' });
    const { rows } = await sql().query('select 1 from private.completion_codes where task_id = $1', [taskId]);
    expect(rows).toEqual([]);
  });

  test('BEY-13 a single-use code becomes the shared one while it is unused, and is refused as such once it is used', async () => {
    const owner = await newOwner();
    const { taskId, campaign } = await codeQuest(owner, {
      single_use_codes: ['FIRST-CODE', 'OTHER-CODE', 'THIRD-CODE'],
    });
    await unwrap(enter(await newMember(), taskId, 'FIRST-CODE'));
    const share = (code: string) =>
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'Q', summary: 'S', budget_points: 500 },
        p_tasks: [
          { id: taskId, title: 'T', instructions_md: 'I', reward_points: 10, max_completions: 5, shared_code: code },
        ],
      });
    expect(await refusal(share('first code'))).toEqual({
      status: 409,
      code: 'COMPLETION_CODE_USED',
      message: 'A member has used up this single-use code. Please choose another one for all.',
    });
    await unwrap(share('other code'));
    for (const member of [await newMember(), await newMember()]) {
      expect(await unwrap(enter(member, taskId, 'OTHER-CODE'))).toMatchObject({ is_accepted: true });
    }
    for (const is_accepted of [true, false])
      expect(await unwrap(enter(await newMember(), taskId, 'THIRD-CODE'))).toMatchObject({ is_accepted });
  });

  test('BEY-13 TRUST-06 TRUST-20 refuses owners, visitors, suspended members, a stale price and a manual proof', async () => {
    const owner = await newOwner();
    const member = await newMember();
    const { taskId } = await codeQuest(owner, { shared_code: 'LANTERN2026' });
    expect(await refusal(enter(owner, taskId, 'LANTERN2026'))).toMatchObject({ status: 403, code: 'OWN_QUEST' });
    const visitor = asAnon().rpc('submit_completion_code', { p_task_id: taskId, p_code: 'LANTERN2026' });
    expect(await refusal(visitor)).toMatchObject({ status: 401 });
    expect(await refusal(enter(await suspend(await newMember()), taskId, 'LANTERN2026'))).toEqual(SUSPENDED);
    expect(await refusal(enter(member, taskId, ' '))).toMatchObject({ code: 'COMPLETION_CODE_REQUIRED' });
    expect(
      await refusal(
        member.client.rpc('submit_completion_code', {
          p_task_id: taskId,
          p_code: 'LANTERN2026',
          p_expected_reward: 11,
        }),
      ),
    ).toMatchObject({ code: 'PRICE_CHANGED' });
    // Even during the beta, which approves every other proof at once.
    expect(await refusal(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }))).toEqual({
      status: 409,
      code: 'WRONG_VERIFICATION',
      message: 'This task is verified in another way. Please look at the quest again.',
    });
    expect(await submissionsOf(taskId)).toEqual([]);
    // A code entered for a task that has since become a manual one.
    const manual = await newQuest(await newOwner());
    expect(await refusal(enter(member, manual.taskId, 'LANTERN2026'))).toMatchObject({
      status: 409,
      code: 'WRONG_VERIFICATION',
    });
  });

  test('BEY-13 a new shared code replaces the former one, but no code for one member and none of another quest', async () => {
    const [owner, member, other] = [await newOwner(), await newMember(), await newMember()];
    const quest = await codeQuest(owner, { single_use_codes: ['FIRST-CODE'] });
    const elsewhere = await codeQuest(await newOwner(), { shared_code: 'LANTERN2026' });
    const save = (changes: Record<string, Json>) =>
      unwrap(
        owner.client.rpc('update_campaign', {
          p_campaign_id: quest.campaign.id,
          p_campaign: { title: 'T', summary: 'S', budget_points: 50 },
          p_tasks: quest.tasks.map((task) => ({ ...task, ...changes })),
        }),
      );
    for (const shared_code of ['LANTERN2026', 'CANDLE2026']) await save({ shared_code });
    expect(await unwrap(enter(member, quest.taskId, 'LANTERN2026'))).toMatchObject({ is_accepted: false });
    expect(await unwrap(enter(member, quest.taskId, 'FIRST-CODE'))).toMatchObject({ is_accepted: true });
    expect(await unwrap(enter(other, quest.taskId, 'CANDLE2026'))).toMatchObject({ is_accepted: true });
    expect(await unwrap(enter(other, elsewhere.taskId, 'LANTERN2026'))).toMatchObject({ is_accepted: true });
    // A used code stays used, also when the task did without codes meanwhile.
    await save({ verification: 'review' });
    await save({ single_use_codes: ['FIRST-CODE', 'OTHER-CODE'] });
    const third = await newMember();
    expect(await unwrap(enter(third, quest.taskId, 'FIRST-CODE'))).toMatchObject({ is_accepted: false });
    expect(await unwrap(enter(third, quest.taskId, 'OTHER-CODE'))).toMatchObject({ is_accepted: true });
  });

  test('TRUST-08 BEY-13 what an admin has reversed is not paid again for the same code: a person decides', async () => {
    const owner = await newOwner();
    const [member, admin] = [await newMember(), await newAdmin()];
    const { taskId } = await codeQuest(owner, { shared_code: 'LANTERN2026' });
    await unwrap(enter(member, taskId, 'LANTERN2026'));
    const { data: paid } = await member.client.from('submissions').select('id').eq('task_id', taskId).single();
    await unwrap(
      admin.client.rpc('reverse_submission', { p_submission_id: paid?.id ?? '', p_note: 'Code was leaked' }),
    );
    await unwrap(enter(member, taskId, 'LANTERN2026'));
    expect(await submissionsOf(taskId)).toMatchObject([{ status: 'pending', reviewed_by: null }]);
    expect((await walletOf(member.id)).points).toBe(0);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-08 BEY-13 after that, another code for one member is taken too', async () => {
    const owner = await newOwner();
    const [member, admin] = [await newMember(), await newAdmin()];
    const { taskId } = await codeQuest(owner, { single_use_codes: ['FIRST-CODE', 'OTHER-CODE'] });
    await unwrap(enter(member, taskId, 'FIRST-CODE'));
    const { id } = await unwrap(member.client.from('submissions').select('id').eq('task_id', taskId).single());
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Code was leaked' }));
    expect(await unwrap(enter(member, taskId, 'FIRST-CODE'))).toMatchObject({ is_accepted: false });
    expect(await unwrap(enter(member, taskId, 'OTHER-CODE'))).toMatchObject({ is_accepted: true });
    expect(await submissionsOf(taskId)).toMatchObject([{ status: 'pending', reviewed_by: null }]);
    await unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
    expect((await walletOf(member.id)).points).toBe(10);
    expect(await ledgerProblems()).toEqual([]);
    const { data: problems } = await asService().rpc('reconcile_ledger');
    expect(problems?.filter(({ subject_id }) => subject_id === id)).toEqual([]);
  });
});
