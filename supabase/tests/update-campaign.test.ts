import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  projectPoints,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { CAMPAIGN, ownedQuest, task, update } from './support/quest-updates.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

test('QEDIT-06 every field of a quest and its tasks is saved, and nothing of another quest', async () => {
  const [{ owner, id, taskId }, other] = [await ownedQuest(), await newQuest(await newOwner())];
  const quest = {
    title: 'Another title',
    summary: 'Another summary',
    details_md: 'Other details',
    budget_points: 400,
    custom_reward_title: 'A mug',
    custom_reward_description: 'By post',
    collect_emails: true,
    email_collection_purpose: 'Invitations',
    starts_at: '2100-01-01T00:00:00+00:00',
    ends_at: '2100-02-01T00:00:00+00:00',
    review_hours: 96,
  };
  const words = { title: 'Tell a friend', type: 'share', instructions_md: 'Send them the link' };
  const atOnce = { verification: 'automatic', requires_proof: false, link_url: 'https://shop.example/welcome' };
  const changed: Record<string, Json> = { ...task(), ...words, id: taskId, reward_points: 20, max_completions: 3 };
  const tasksOf = () => unwrap(owner.client.from('tasks').select().eq('campaign_id', id).order('order_index'));
  for (const tasks of [[{ ...task(), ...atOnce }, changed], [{ ...changed, ...atOnce }]]) {
    expect(await unwrap(update(owner, id, tasks, quest))).toMatchObject(quest);
    expect(await tasksOf()).toMatchObject(tasks);
  }
  // What is not named stays.
  const { requires_proof: _, ...named } = changed;
  expect(await unwrap(update(owner, id, [named]))).toMatchObject({ ...quest, ...CAMPAIGN });
  expect(await tasksOf()).toMatchObject([{ ...named, ...atOnce }]);
  const others = asAnon().from('campaigns').select('title, summary, tasks(title, reward_points)');
  expect(await unwrap(others.eq('id', other.campaign.id).single())).toEqual({
    title: other.campaign.title,
    summary: 'Try it',
    tasks: [{ title: 'Try the product', reward_points: 10 }],
  });
});

test('a list of very many tasks is refused within the time limit, to the owner and to a stranger', async () => {
  const [{ owner, id }, stranger] = [await ownedQuest(), await newMember()];
  const hundred = Array.from({ length: 100 }, () => task({ reward_points: 1, max_completions: 1 }));
  await unwrap(update(owner, id, hundred));
  const tasks = Array.from({ length: 100_000 }, () => ({}));
  expect(await refusal(update(owner, id, tasks))).toMatchObject({ code: 'TOO_MANY_TASKS' });
  const args = {
    p_campaign_id: id,
    p_campaign: { title: 'Mine', summary: 'Mine', budget_points: 100 },
    p_tasks: tasks,
  };
  expect(await refusal(stranger.client.rpc('update_campaign', args))).toEqual(FORBIDDEN);
});

describe('update_campaign: the reserve follows', () => {
  test('C-01 RULE-09 QEDIT-06 raising takes the difference; lowering and removing return it', async () => {
    const { owner, id, taskId, points } = await ownedQuest();
    expect(await points()).toEqual({ free: 450, reserved: 50 });
    await unwrap(update(owner, id, [task({ id: taskId, reward_points: 100, max_completions: 3 })]));
    expect(await points()).toEqual({ free: 200, reserved: 300 });
    const wider = await unwrap(
      update(owner, id, [task({ id: taskId, reward_points: 100, max_completions: 3 }), task()]),
    );
    expect(wider).toMatchObject({ task_count: 2, total_slots: 5, open_reward_points: 150, title: 'Edited' });
    expect(await points()).toEqual({ free: 100, reserved: 400 });
    await unwrap(update(owner, id, [task({ id: taskId, reward_points: 10, max_completions: 3 })]));
    expect(await points()).toEqual({ free: 470, reserved: 30 });
    await unwrap(update(owner, id, []));
    expect(await points()).toEqual({ free: 500, reserved: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-12 removing a task with submissions releases the rest; earned points remain', async () => {
    const { owner, id, taskId, points } = await ownedQuest();
    const member = await newMember();
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
    const saved = await unwrap(update(owner, id, [task({ reward_points: 20, max_completions: 1 })]));
    expect(saved).toMatchObject({
      submission_count: 0,
      approved_count: 0,
      participant_count: 0,
      points_distributed: 10,
    });
    expect(await points()).toEqual({ free: 470, reserved: 20 });
    expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
    expect(await unwrap(member.client.from('transactions').select('description'))).toEqual([
      { description: 'Task completion: Try the product' },
    ]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('a pending submission keeps the points it was promised when the reward is raised', () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newVerifiedOwner();
      const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 10, max_completions: 2 } });
      const member = await newMember();
      const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
      await unwrap(update(owner, campaign.id, [task({ id: taskId, reward_points: 100, max_completions: 2 })]));
      // The pending proof's spot, too, is offered at the new reward if it comes back.
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 300, reserved: 200 });
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
      expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 390, reserved: 100 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('TRUST-04 taken slots cannot be removed', async () => {
    const { owner, id, taskId } = await ownedQuest();
    for (const member of [await newMember(), await newMember()]) {
      await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
    }
    expect(await changesNothing(() => refusal(update(owner, id, [task({ id: taskId, max_completions: 1 })])))).toEqual({
      status: 409,
      code: 'TASK_SLOTS_TAKEN',
      message: 'Cannot allow fewer completions than have already been submitted',
    });
    expect((await unwrap(update(owner, id, [task({ id: taskId, max_completions: 2 })]))).is_full).toBe(true);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-01 RULE-09 a project without the points keeps its quest unchanged', async () => {
    const { owner, id, taskId } = await ownedQuest();
    await unwrap(update(owner, id, [task({ id: taskId, reward_points: 100, max_completions: 5 })]));
    const member = await newMember();
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
    // Within the budget, but 100 of the project's points are paid: 400 are left.
    const tasks = (points: number) => [
      task({ id: taskId, reward_points: 100, max_completions: 1 }),
      task({ reward_points: points, max_completions: 1 }),
    ];
    await withSettings({ trial_budget_points: 1000 }, async () => {
      expect(await changesNothing(() => refusal(update(owner, id, tasks(401), { budget_points: 600 })))).toEqual({
        status: 409,
        code: 'INSUFFICIENT_POINTS',
        message: 'Insufficient points balance',
      });
    });
    await unwrap(update(owner, id, tasks(400)));
    expect(await projectPoints(owner.startup.id, id)).toEqual({ free: 0, reserved: 400 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('concurrent edits all succeed and leave the result of one of them', async () => {
    const { owner, id, taskId } = await ownedQuest();
    const edits = Array.from({ length: 12 }, (_, i) => ({ reward_points: 10 + i, max_completions: 3 + i }));
    const answers = await Promise.all(edits.map((edit) => update(owner, id, [task({ id: taskId, ...edit })])));
    expect(answers.map(({ error }) => error)).toEqual(edits.map(() => null));
    const left = await unwrap(
      owner.client.from('tasks').select('reward_points, max_completions').eq('campaign_id', id).single(),
    );
    expect(edits).toContainEqual(left);
    const reserved = left.reward_points * left.max_completions;
    expect(await projectPoints(owner.startup.id, id)).toEqual({ free: 500 - reserved, reserved });
    expect(await ledgerProblems()).toEqual([]);
  });
});

describe('update_campaign: the limits', () => {
  test('C-75 QEDIT-11 the budget of an edit has the same limit as that of a new quest', async () => {
    const { owner, id, taskId } = await ownedQuest();
    const save = (budget: number, points = 1) =>
      update(owner, id, [task({ id: taskId, reward_points: points, max_completions: 1 })], { budget_points: budget });
    for (const budget of [1, 500]) expect((await unwrap(save(budget))).budget_points).toBe(budget);
    expect(await refusal(save(501))).toMatchObject({ code: 'BUDGET_LIMIT' });
    await withSettings({ trial_budget_points: 1_000_000 }, async () => {
      expect((await unwrap(save(1_000_000))).budget_points).toBe(1_000_000);
    });
    // A stored budget above a lowered limit may stay or shrink, but not grow.
    expect((await unwrap(save(1_000_000))).budget_points).toBe(1_000_000);
    expect((await unwrap(save(999_999))).budget_points).toBe(999_999);
    expect(await refusal(save(1_000_000))).toMatchObject({ code: 'BUDGET_LIMIT' });
  });

  test('C-75 QEDIT-12 the reward of a task has the same limit as in a new quest, and a stored one may stay', async () => {
    const { owner, id, taskId } = await ownedQuest();
    expect(await refusal(update(owner, id, [task({ id: taskId, reward_points: 501 })]))).toEqual({
      status: 400,
      code: 'TASK_POINTS_RANGE',
      message: 'Points must be between 1 and 500',
    });
    for (const points of [1, 500]) {
      expect(
        await unwrap(update(owner, id, [task({ id: taskId, reward_points: points, max_completions: 1 })])),
      ).toMatchObject({ open_reward_points: points });
    }
    await withSettings({ trial_budget_points: 100 }, async () => {
      const save = (reward_points: number) =>
        update(owner, id, [task({ id: taskId, reward_points, max_completions: 1 })]);
      expect(await unwrap(save(500))).toMatchObject({ open_reward_points: 500 });
      expect(await refusal(save(501))).toMatchObject({ message: 'Points must be between 1 and 500' });
    });
  });

  test('C-75 QNEW-16 a task has at most 1000 slots, as in a new quest', async () => {
    const { owner, id, taskId } = await ownedQuest();
    const save = (max_completions: number) =>
      update(owner, id, [task({ id: taskId, reward_points: 0, max_completions })], {
        custom_reward_title: 'A mug',
        custom_reward_description: 'By post',
      });
    expect((await unwrap(save(1000))).total_slots).toBe(1000);
    expect(await refusal(save(1001))).toEqual({
      status: 400,
      code: 'TASK_COMPLETIONS_MAX',
      message: 'Must allow at most 1000 completions',
    });
  });

  test('C-75 zero points are allowed only with a custom reward', async () => {
    const { owner, id, taskId, points } = await ownedQuest();
    const free = [task({ id: taskId, reward_points: 0 })];
    const custom = { custom_reward_title: 'A mug', custom_reward_description: 'By post', budget_points: 0 };
    expect(await refusal(update(owner, id, free))).toMatchObject({ code: 'TASK_POINTS_RANGE' });
    expect(await refusal(update(owner, id, [], { budget_points: 0 }))).toMatchObject({ code: 'BUDGET_RANGE' });
    expect(await unwrap(update(owner, id, free, custom))).toMatchObject({ budget_points: 0, open_reward_points: 0 });
    expect(await points()).toEqual({ free: 500, reserved: 0 });
    const none = { custom_reward_title: null, custom_reward_description: null };
    expect(await refusal(update(owner, id, free, none))).toMatchObject({ code: 'TASK_POINTS_RANGE' });
  });
});

describe('update_campaign: every field of creation', () => {
  test('C-75 custom reward, e-mails and auto-verify are saved; omitted fields are unchanged', async () => {
    const { owner, id, taskId } = await ownedQuest();
    const terms = {
      custom_reward_title: 'A mug',
      custom_reward_description: 'By post',
      collect_emails: true,
      email_collection_purpose: 'Beta invitations',
    };
    expect(await unwrap(update(owner, id, [task({ id: taskId, auto_verify: true })], terms))).toMatchObject(terms);
    const stored = () => unwrap(owner.client.from('tasks').select('auto_verify').eq('campaign_id', id).single());
    expect(await stored()).toEqual({ auto_verify: true });
    expect(await unwrap(update(owner, id, [task({ id: taskId })]))).toMatchObject(terms);
    expect(await stored()).toEqual({ auto_verify: true });
    const none = { custom_reward_title: null, custom_reward_description: null, collect_emails: false };
    expect(await unwrap(update(owner, id, [task({ id: taskId })], none))).toMatchObject(none);
  });

  test('QNEW-15 C-75 an incomplete custom reward is refused in an edit as in a new quest', async () => {
    const { owner, id } = await ownedQuest();
    expect(await refusal(update(owner, id, [], { custom_reward_description: 'x' }))).toEqual({
      status: 400,
      code: 'CUSTOM_REWARD_TITLE_REQUIRED',
      message: 'Please enter a custom reward title',
    });
    expect(await refusal(update(owner, id, [], { custom_reward_title: 'A mug' }))).toEqual({
      status: 400,
      code: 'CUSTOM_REWARD_DESCRIPTION_REQUIRED',
      message: 'Please enter a custom reward description',
    });
  });
});

test('a quest may have a hundred tasks', async () => {
  const { owner, id } = await ownedQuest();
  const tasks = Array.from({ length: 100 }, () => task({ reward_points: 1, max_completions: 1 }));
  expect(await unwrap(update(owner, id, tasks))).toMatchObject({ task_count: 100 });
});

describe('update_campaign: what is refused', () => {
  test('QEDIT-10 QEDIT-11 QEDIT-12 QEDIT-13 QEDIT-14 C-35 bad input gets the exact sentence and changes nothing', async () => {
    const { owner, id, taskId } = await ownedQuest();
    const other = (await newQuest(await newOwner())).taskId;
    const long = 'This text is too long';
    const budget = 'Budget must be between 1 and 1000000 points.';
    const cases: [Record<string, Json>, Json, number, string, string][] = [
      [{ title: ' ' }, [], 400, 'TITLE_REQUIRED', 'Please enter a quest title.'],
      [{ title: 'x'.repeat(2001) }, [], 400, 'TEXT_TOO_LONG', long],
      [{ summary: '' }, [], 400, 'SUMMARY_REQUIRED', 'Please enter a quest summary.'],
      [{ summary: 'x'.repeat(501) }, [], 400, 'TEXT_TOO_LONG', long],
      [{ details_md: 'x'.repeat(10001) }, [], 400, 'TEXT_TOO_LONG', long],
      [{}, [task({ title: '' })], 400, 'TASK_TITLE_REQUIRED', 'Please enter a title for Task 1.'],
      [
        {},
        [task(), task({ instructions_md: ' ' })],
        400,
        'TASK_INSTRUCTIONS_REQUIRED',
        'Please enter instructions for Task 2.',
      ],
      [{}, [task({ type: 'x' })], 400, 'INVALID_TASK', 'Unknown task or proof type'],
      [{}, [task({ id: 'not-a-uuid' })], 404, 'TASK_NOT_FOUND', 'Task not found'],
      [{}, [task({ id: other })], 404, 'TASK_NOT_FOUND', 'Task not found'],
      [{}, [7, 'x', null], 400, 'TASK_TITLE_REQUIRED', 'Please enter a title for Task 1.'],
      [{}, { a: 1 }, 400, 'INVALID_TASKS', 'Tasks must be a list'],
      [{}, null, 400, 'INVALID_TASKS', 'Tasks must be a list'],
      [{}, Array.from({ length: 101 }, () => task()), 400, 'TOO_MANY_TASKS', 'Please use at most 100 tasks'],
      [
        { budget_points: 100 },
        [task({ id: taskId, reward_points: 50, max_completions: 3 })],
        409,
        'OVER_BUDGET',
        'Cannot save: Total task points (150) exceed your budget (100 points). Please reduce task points or increase your budget.',
      ],
      [{ budget_points: 501 }, [], 409, 'BUDGET_LIMIT', 'Total budget exceeds trial limit of 500 points'],
    ];
    for (const points of [0, -1, 1_000_001, null, 'x', 2 ** 40])
      cases.push([{ budget_points: points }, [], 400, 'BUDGET_RANGE', budget]);
    for (const points of [0, 501, null, 'x', -1]) {
      cases.push([{}, [task({ reward_points: points })], 400, 'TASK_POINTS_RANGE', 'Points must be between 1 and 500']);
    }
    for (const max of [0, -1, null, 'x']) {
      cases.push([
        {},
        [task({ max_completions: max })],
        400,
        'TASK_COMPLETIONS_MIN',
        'Must allow at least 1 completion',
      ]);
    }
    cases.push([
      {},
      [task({ max_completions: 1001 })],
      400,
      'TASK_COMPLETIONS_MAX',
      'Must allow at most 1000 completions',
    ]);
    await changesNothing(async () => {
      for (const [campaign, tasks, status, code, message] of cases) {
        const got = await refusal(update(owner, id, tasks, campaign));
        expect(got, JSON.stringify([campaign, tasks]).slice(0, 200)).toEqual({ status, code, message });
      }
    });
    const text = "<img src=x onerror=alert(1)> '; drop table x; --";
    const campaign = { title: text, summary: 'New summary', details_md: 'New details', budget_points: 400 };
    const fields = { title: text, type: 'share', instructions_md: 'Post it', reward_points: 20, max_completions: 3 };
    const tasks = [task({ title: 'Added' }), task({ id: taskId, ...fields, proof_type: 'screenshot' })];
    expect(await unwrap(update(owner, id, tasks, campaign))).toMatchObject(campaign);
    expect(await unwrap(owner.client.from('tasks').select().eq('campaign_id', id).order('order_index'))).toMatchObject([
      { title: 'Added', order_index: 0 },
      { id: taskId, ...fields, proof_type: 'screenshot', order_index: 1 },
    ]);
  });

  test('QEDIT-14 a form does not replace what was saved after it was opened, unless it does not name what it has read', async () => {
    const { owner, id, taskId } = await ownedQuest();
    const read = () => unwrap(owner.client.from('campaigns').select('updated_at').eq('id', id).single());
    const opened = await read();
    const saved = await unwrap(update(owner, id, [task({ id: taskId })], { ...opened, title: 'First' }));
    expect(await changesNothing(() => refusal(update(owner, id, [], { ...opened, title: 'Second' })))).toEqual({
      status: 409,
      code: 'QUEST_CHANGED',
      message: 'This quest was changed after you opened it. Saving overwrites those changes.',
    });
    const member = await newMember();
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
    // A proof is no change of the quest.
    expect(await read()).toEqual({ updated_at: saved.updated_at });
    expect((await unwrap(update(owner, id, [task({ id: taskId })], { title: 'Second' }))).title).toBe('Second');
    // The same moment in the words of another time zone, which a caller may ask for.
    const third = { ...(await read()), title: 'Third' };
    const elsewhere = update(owner, id, [task({ id: taskId })], third).setHeader('prefer', 'timezone=Asia/Tokyo');
    expect((await unwrap(elsewhere)).title).toBe('Third');
    for (const updated_at of ['yesterday morning', 7, null, {}]) {
      expect(await refusal(update(owner, id, [task({ id: taskId })], { updated_at }))).toMatchObject({
        code: 'QUEST_CHANGED',
      });
    }
  });

  test('QEDIT-02 C-42 SEC-13 refuses strangers, other owners, admins, visitors and suspended owners', async () => {
    const { owner, id } = await ownedQuest();
    const others = [await newMember(), await newOwner(), await newAdmin()];
    await changesNothing(async () => {
      for (const who of others) expect(await refusal(update(who, id, []))).toEqual(FORBIDDEN);
      expect(
        await refusal(asAnon().rpc('update_campaign', { p_campaign_id: id, p_campaign: {}, p_tasks: [] })),
      ).toMatchObject({ status: 401 });
      expect(await refusal(update(owner, randomUUID(), []))).toEqual({
        status: 404,
        code: 'CAMPAIGN_NOT_FOUND',
        message: 'Campaign not found',
      });
    });
    await suspend(owner);
    expect(await changesNothing(() => refusal(update(owner, id, [])))).toEqual(SUSPENDED);
  });
});
