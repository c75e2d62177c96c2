import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import {
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  projectPoints,
  refusal,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const link = 'https://example.com/proof';
const submit = (member: Member, taskId: string, args: { p_url?: string; p_text?: string; p_email?: string }) =>
  member.client.rpc('submit_proof', { p_task_id: taskId, ...args });

describe('submit_proof in beta', () => {
  test('C-08 RULE-02 nothing of a rejected proof remains in the next one, which waits like the first, and in beta is approved', async () => {
    const [owner, member] = [await newVerifiedOwner(), await newMember()];
    const { taskId } = await newQuest(owner, { campaign: { collect_emails: true } });
    const next = { p_text: 'next', p_email: member.email };
    const rejected = async (id: string) => {
      const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete', p_note: 'No name' };
      await unwrap(owner.client.rpc('review_submission', rejection));
      await sql().query(
        `update public.submissions set participant_email = 'old@example.com', submitted_at = submitted_at - interval '2 days',
           review_due_at = review_due_at - interval '2 days', review_check_at = review_check_at - interval '2 days' where id = $1`,
        [id],
      );
    };
    const hoursAfter = ({ submitted_at }: { submitted_at: string }, at: string | null) =>
      at && Math.round((Date.parse(at) - Date.parse(submitted_at)) / 3_600_000);
    await withSettings({ beta_mode: false }, async () => {
      await rejected((await unwrap(submit(member, taskId, { ...next, p_url: link, p_text: 'first' }))).id);
      const second = await unwrap(submit(member, taskId, next));
      const undecided = { status: 'pending', reviewed_by: null, review_note: null, reviewed_at: null };
      expect(second).toMatchObject({
        ...undecided,
        proof_url: null,
        proof_text: 'next',
        participant_email: member.email,
      });
      const times = [second.review_due_at, second.review_check_at, new Date().toISOString()];
      expect(times.map((at) => hoursAfter(second, at))).toEqual([72, 36, 0]);
      await rejected(second.id);
    });
    const third = await unwrap(submit(member, taskId, next));
    const note = 'Beta auto-approved - instant rewards!';
    expect(third).toMatchObject({ status: 'approved', reviewed_by: 'beta', review_note: note });
    const times = [third.reviewed_at, third.review_due_at, third.review_check_at, new Date().toISOString()];
    expect(times.map((at) => hoursAfter(third, at))).toEqual([0, null, null, 0]);
  });

  // The row is inserted as approved, not pending first (C-85): nobody could see the difference.
  test('RULE-02 RULE-07 QUEST-13 approves at once, pays the reward and notes why', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId, campaign } = await newQuest(owner);

    const submission = await unwrap(
      submit(member, taskId, { p_url: link, p_text: " <b>hi</b> \u2028'; drop table x; -- " }),
    );

    expect(submission).toMatchObject({
      status: 'approved',
      review_note: 'Beta auto-approved - instant rewards!',
      reviewed_by: 'beta',
      reward_points: 10,
      proof_url: link,
      proof_text: "<b>hi</b> \u2028'; drop table x; --",
    });
    expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 450, reserved: 40 });
    const { rows } = await sql().query(
      "select type, (payload ->> 'points')::integer as points from public.outbox_events where user_id = $1",
      [member.id],
    );
    expect(rows).toEqual([{ type: 'SubmissionApproved', points: 10 }]);
    // The submission itself says all that its history could.
    expect(await unwrap(member.client.from('submission_history').select('action'))).toEqual([]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('RULE-12 refuses a second proof of the same task and changes nothing', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId } = await newQuest(owner);
    await unwrap(submit(member, taskId, { p_url: link }));
    expect(await refusal(submit(member, taskId, { p_url: link }))).toEqual({
      status: 409,
      code: 'ALREADY_SUBMITTED',
      message: 'You have already submitted proof for this task',
    });
    expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
  });

  test('SEC-07 visitors browse quests, projects and rewards', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    const { taskId, campaign } = await newQuest(owner);
    const reward = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Mug', points_cost: 60 } }));
    const quests = asAnon().rpc('list_published_quests', { p_startup_id: owner.startup.id });
    expect(await unwrap(quests)).toMatchObject([{ id: campaign.id }]);
    for (const [table, id] of [
      ['tasks', taskId],
      ['startup_profiles', owner.startup.id],
      ['rewards', reward.id],
    ] as const)
      expect(await unwrap(asAnon().from(table).select('id').eq('id', id)), table).toEqual([{ id }]);
    expect(await unwrap(asAnon().rpc('get_site_stats'))).toHaveLength(1);
  });

  test('QUEST-19 refuses missing, unparsable and overlong proof with the exact sentences; 2000 characters pass', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId } = await newQuest(owner);
    const cases = [
      [{}, 'PROOF_REQUIRED', 'Proof is required'],
      [{ p_url: '  ', p_text: '\n' }, 'PROOF_REQUIRED', 'Proof is required'],
      [{ p_url: 'not a url' }, 'INVALID_PROOF_URL', 'Invalid URL format'],
      [{ p_url: 'https://nowhere/a.b' }, 'INVALID_PROOF_URL', 'Invalid URL format'],
      [{ p_url: 'javascript:alert(1)' }, 'INVALID_PROOF_URL', 'Invalid URL format'],
      [{ p_url: 'proofs/user_else/secret.png' }, 'INVALID_PROOF_URL', 'Invalid URL format'],
      [{ p_text: 'x'.repeat(2001) }, 'PROOF_TOO_LONG', 'Text proof too long'],
    ] as const;
    for (const [args, code, message] of cases) {
      expect(await refusal(submit(member, taskId, args))).toEqual({ status: 400, code, message });
    }
    expect(await walletOf(member.id)).toEqual({ points: 0, lifetime: 0 });
    expect((await unwrap(submit(member, taskId, { p_text: 'x'.repeat(2000) }))).status).toBe('approved');
  });

  test('SEC-07 TRUST-06 QUEST-10 refuses visitors and the owner', async () => {
    const owner = await newOwner();
    const { taskId } = await newQuest(owner);
    expect(await refusal(asAnon().rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }))).toMatchObject({
      status: 401,
    });
    expect(await refusal(submit(owner, taskId, { p_text: 'x' }))).toEqual({
      status: 403,
      code: 'OWN_QUEST',
      message: 'You cannot complete your own quest',
    });
  });

  test('TRUST-07 C-07 only published quests accept proof; an unknown task is not found', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId, campaign } = await newQuest(owner);
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    const closed = { status: 409, code: 'QUEST_NOT_OPEN' };
    expect(await refusal(submit(member, taskId, { p_text: 'x' }))).toMatchObject(closed);
    await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
    expect(await refusal(submit(member, taskId, { p_text: 'x' }))).toMatchObject(closed);
    expect(await refusal(submit(member, owner.startup.id, { p_text: 'x' }))).toEqual({
      status: 404,
      code: 'TASK_NOT_FOUND',
      message: 'Task not found',
    });
    await unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: campaign.id }));
    expect((await unwrap(submit(member, taskId, { p_text: 'x' }))).status).toBe('approved');
  });

  test('RULE-11 the seventh submission within a minute is refused, also when all are concurrent', async () => {
    const member = await newMember();
    const quests = await Promise.all(Array.from({ length: 9 }, async () => newQuest(await newOwner())));
    const answers = await Promise.all(quests.map((quest) => submit(member, quest.taskId, { p_url: link })));
    expect(answers.filter((answer) => answer.data?.status === 'approved')).toHaveLength(6);
    const refused = answers.filter((answer) => answer.error).map(({ error, status }) => ({ ...error, status }));
    const limited = { status: 429, hint: 'RATE_LIMITED', message: 'Rate limit exceeded' };
    expect(refused).toMatchObject([limited, limited, limited]);
    expect(await walletOf(member.id)).toEqual({ points: 60, lifetime: 60 });
  });

  test('TRUST-02 fifty identical concurrent submissions have one effect', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId, campaign } = await newQuest(owner);
    const answers = await Promise.all(Array.from({ length: 50 }, () => submit(member, taskId, { p_url: link })));
    expect(answers.filter((answer) => !answer.error)).toHaveLength(1);
    expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 450, reserved: 40 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-04 C-07 the last slot has one winner', async () => {
    const owner = await newOwner();
    const { taskId } = await newQuest(owner, { task: { max_completions: 1 } });
    const members = await Promise.all(Array.from({ length: 20 }, () => newMember()));
    const answers = await Promise.all(members.map((member) => submit(member, taskId, { p_url: link })));
    expect(answers.filter((answer) => !answer.error)).toHaveLength(1);
    for (const { error } of answers.filter((answer) => answer.error)) {
      expect(error).toMatchObject({ hint: 'QUEST_FULL', message: 'Quest Full' });
    }
    expect(await ledgerProblems()).toEqual([]);
  });

  test('DB-10 requires and stores the e-mail for quests that collect it, and never stores it otherwise', async () => {
    const [collecting, silent, member] = await Promise.all([newOwner(), newOwner(), newMember()]);
    const withEmail = await newQuest(collecting, { campaign: { collect_emails: true } });
    const without = await newQuest(silent);
    expect(await refusal(submit(member, withEmail.taskId, { p_text: 'x' }))).toMatchObject({ code: 'EMAIL_REQUIRED' });
    expect(await refusal(submit(member, withEmail.taskId, { p_text: 'x', p_email: 'nope' }))).toMatchObject({
      code: 'INVALID_EMAIL',
    });
    await unwrap(submit(member, withEmail.taskId, { p_text: 'x', p_email: ` ${member.email.toUpperCase()} ` }));
    const kept = await unwrap(submit(member, without.taskId, { p_text: 'x', p_email: member.email }));
    expect(kept.participant_email).toBeNull();
    const collected = await unwrap(
      collecting.client.from('campaign_email_collections').select('email').eq('campaign_id', withEmail.campaign.id),
    );
    expect(collected).toEqual([{ email: member.email }]);
    expect(await unwrap(silent.client.from('campaign_email_collections').select('email'))).toEqual([]);
  });

  test('DB-10 an address that is given again with another task is collected once, as given last', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { campaign, tasks, taskId } = await newQuest(owner, { campaign: { collect_emails: true } });
    const both = [tasks[0] ?? {}, { ...tasks[0], id: undefined, order_index: 1 }];
    await unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: campaign.title, summary: 'x', budget_points: 500 },
        p_tasks: both,
      }),
    );
    const [, added] = await unwrap(
      owner.client.from('tasks').select().eq('campaign_id', campaign.id).order('order_index'),
    );
    await unwrap(submit(member, taskId, { p_text: 'x', p_email: member.email }));
    await sql().query(
      "update public.campaign_email_collections set collected_at = '2026-01-01', email = 'old@example.com' where campaign_id = $1",
      [campaign.id],
    );
    const second = await unwrap(submit(member, added?.id ?? '', { p_text: 'x', p_email: member.email }));
    const { rows } = await sql().query(
      `select email, submission_id, collected_at > now() - interval '1 minute' as is_new
       from public.campaign_email_collections where campaign_id = $1`,
      [campaign.id],
    );
    expect(rows).toEqual([{ email: member.email, submission_id: second.id, is_new: true }]);
  });
});

describe('submit_proof without enough points', () => {
  test('C-07 C-03 leaves the submission pending when neither reserve nor free balance can pay, and pays as soon as they can', async () => {
    const [owner, first, second] = [await newOwner(), await newMember(), await newMember()];
    const { taskId, campaign } = await newQuest(owner, { task: { reward_points: 100, max_completions: 5 } });
    // Only a defect or a correction leads here: the reserve loses 401 of its 500 points, and the project has none besides.
    const move = (from: string, to: string, points: number) =>
      sql().query(
        `select private.transfer((select id from public.wallets where ${from} = $1), (select id from public.wallets where ${to} = $2), $3, 'adjustment', 'test')`,
        [from === 'campaign_id' ? campaign.id : owner.id, to === 'user_id' ? owner.id : campaign.id, points],
      );
    await move('campaign_id', 'user_id', 401);
    expect(await unwrap(submit(first, taskId, { p_url: link }))).toMatchObject({
      status: 'pending',
      reviewed_by: null,
    });
    expect(await walletOf(first.id)).toEqual({ points: 0, lifetime: 0 });
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 0, reserved: 99 });
    await move('user_id', 'campaign_id', 1);
    expect(await unwrap(submit(second, taskId, { p_url: link }))).toMatchObject({ status: 'approved' });
    expect(await walletOf(second.id)).toEqual({ points: 100, lifetime: 100 });
    await move('user_id', 'campaign_id', 400);
    expect(await ledgerProblems()).toEqual([]);
  });
});

describe('submit_proof outside beta', () => {
  test('C-06 RULE-06 leaves the submission pending, holding its slot and its points', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, first, second] = await Promise.all([newVerifiedOwner(), newMember(), newMember()]);
      const { taskId, campaign } = await newQuest(owner, { task: { max_completions: 1 } });
      const submission = await unwrap(submit(first, taskId, { p_url: link }));
      expect(submission).toMatchObject({ status: 'pending', reviewed_by: null, review_note: null });
      expect(await walletOf(first.id)).toEqual({ points: 0, lifetime: 0 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 490, reserved: 10 });
      expect(await refusal(submit(second, taskId, { p_url: link }))).toMatchObject({ code: 'QUEST_FULL' });
    }));

  test('C-06 a self-verifying task without proof is approved at once', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
      const { taskId } = await newQuest(owner, { task: { requires_proof: false, auto_verify: true } });
      const submission = await unwrap(submit(member, taskId, { p_text: 'Quick verified' }));
      expect(submission).toMatchObject({ status: 'approved', reviewed_by: 'auto' });
    }));

  test('C-06 a self-verifying task that asks for a proof waits for its review', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
      const { taskId } = await newQuest(owner, { task: { requires_proof: true, auto_verify: true } });
      expect(await unwrap(submit(member, taskId, { p_url: link }))).toMatchObject({ status: 'pending' });
      expect(await walletOf(member.id)).toEqual({ points: 0, lifetime: 0 });
    }));
});
