import {
  allocatedPoints,
  createPayload,
  emptyQuest,
  newCompletionCodes,
  newTask,
  questSummary,
  removedWaiting,
  rewardParts,
  storedValues,
  templateValues,
  updatePayload,
} from './quest-form';
import { questProblems } from './quest-problems';
import { questTemplates, type Verification } from './quest-templates';
import { newBounds, newQuestValues, storedQuest } from './testing/form-values';
import { questRow, taskRow } from './testing/rows';

test('QNEW-12 C-108 the form starts with 25 points each for 20 people, first come first serve, and contains no cash', () => {
  expect(emptyQuest).toMatchObject({
    rewardType: 'points',
    distributionMethod: 'fcfs',
    tasks: [{ rewardPoints: 25, maxCompletions: 20 }],
  });
  expect(emptyQuest).not.toHaveProperty('cashAmount');
  expect(rewardParts('points')).toEqual({ enablePoints: true, enableCustomReward: false });
  expect(rewardParts('custom')).toEqual({ enablePoints: false, enableCustomReward: true });
  expect(rewardParts('both')).toEqual({ enablePoints: true, enableCustomReward: true });
});

describe('the payload for a new quest', () => {
  test("QNEW-13 C-71 the details contain the founder's words and no terms, which would become outdated", () => {
    const { details_md } = createPayload(newQuestValues({}, { instructions: ' Try it. ' })).quest;
    expect(details_md).toBe('Try it.');
  });

  test.each<[Verification, boolean, string]>([
    ['simple', false, 'text'],
    ['link', true, 'link'],
    ['screenshot', true, 'screenshot'],
    ['text', true, 'text'],
  ])('QNEW-18 verification %s requires proof: %s, stored as %s', (verification, requires_proof, proof_type) => {
    expect(createPayload(newQuestValues({}, { verification })).task).toMatchObject({ requires_proof, proof_type });
  });

  test('templates are stored as the types decided in C-33', () => {
    const types = questTemplates.map(({ id }) => {
      const { quest, task } = templateValues(id);
      return createPayload(newQuestValues(quest, task)).task.type;
    });
    expect(types).toEqual(['signup', 'others', 'others', 'others', 'share', 'visit', 'signup', 'others']);
  });

  test('a custom reward alone pays no points (C-36)', () => {
    const custom = { rewardType: 'custom', customRewardTitle: ' Mug ', customRewardDescription: 'A mug' } as const;
    const payload = createPayload(newQuestValues(custom, { rewardPoints: 50 }));
    expect(payload.task.reward_points).toBe(0);
    expect(payload.quest).toMatchObject({ custom_reward_title: 'Mug', custom_reward_description: 'A mug' });
  });

  test('points alone send no custom reward, even if one was typed before', () => {
    const payload = createPayload(newQuestValues({ customRewardTitle: 'Mug', customRewardDescription: 'A mug' }));
    expect(payload.quest).toMatchObject({ custom_reward_title: null, custom_reward_description: null });
  });

  test('the link and the custom instructions are part of the instructions', () => {
    const instructions = (quest: Parameters<typeof newQuestValues>[0]) =>
      createPayload(newQuestValues(quest, { instructions: 'D' })).task.instructions_md;
    expect(instructions({ selectedTemplate: 1, productUrl: 'example.com' })).toBe('D\n\nhttps://example.com');
    expect(instructions({ selectedTemplate: 8, customInstructions: 'Step 1' })).toBe('D\n\nStep 1');
  });

  test('the purpose of e-mails is sent only when they are collected', () => {
    const purpose = (collectEmail: boolean) =>
      createPayload(newQuestValues({ collectEmail, emailCollectionPurpose: 'News' })).quest.email_collection_purpose;
    expect(purpose(false)).toBeNull();
    expect(purpose(true)).toBe('News');
  });

  test('BEY-07 times are sent with their zone, blank ones as null', () => {
    const { quest } = createPayload(newQuestValues({ startsAt: '2026-05-01T09:00' }));
    expect(quest).toMatchObject({ starts_at: new Date('2026-05-01T09:00').toISOString(), ends_at: null });
  });

  test('the summary is the first paragraph, cut at a word', () => {
    expect(questSummary('One.\n\nTwo.')).toBe('One.');
    const cut = questSummary(`${'word '.repeat(50)}`);
    expect(cut.length).toBeLessThanOrEqual(160);
    expect(cut).toMatch(/word…$/);
  });

  test.each([
    ['## Try **our app**', 'Try our app'],
    ['- Sign up at [our site](https://shop.example/a_b)', 'Sign up at our site'],
    ['1. Type `npm start` and __wait__', 'Type npm start and wait'],
    ['![A kite](https://shop.example/kite.png) takes off', 'A kite takes off'],
    ['2 * 3 ** 2, #1 of snake_case_names, 50 % off', '2 * 3 ** 2, #1 of snake_case_names, 50 % off'],
  ])('the summary of %j has no marks of Markdown, because the card shows plain text', (description, summary) => {
    expect(questSummary(description)).toBe(summary);
  });
});

describe('verified actions', () => {
  const sent = (task: Parameters<typeof newQuestValues>[1]) => createPayload(newQuestValues({}, task)).task;
  const link = { linkUrl: ' https://shop.example/tour ' };

  test('BEY-13 each verification sends what it needs, and nothing of the others', () => {
    const all = { ...link, sharedCode: ' LANTERN-2026 ', codes: ['ABCDE-FGHJK'], checkTarget: 'https://shop.example' };
    expect(sent({ ...all, verification: 'code' })).toMatchObject({
      verification: 'code',
      shared_code: 'LANTERN-2026',
      single_use_codes: ['ABCDE-FGHJK'],
    });
    expect(sent({ ...all, verification: 'code' })).not.toHaveProperty('link_url');
    expect(sent({ ...all, verification: 'call' })).toMatchObject({
      verification: 'call',
      link_url: 'https://shop.example/tour',
    });
    expect(sent({ ...all, verification: 'call' })).not.toHaveProperty('check_target');
    expect(sent({ ...all, verification: 'check' })).toMatchObject({
      verification: 'check',
      link_url: 'https://shop.example/tour',
      check_source: 'endpoint',
      check_target: 'https://shop.example',
    });
    const repository = { checkSource: 'github_pull_request', checkTarget: ' questboard/app ' } as const;
    expect(sent({ verification: 'check', ...repository })).toMatchObject({
      verification: 'check',
      check_source: 'github_pull_request',
      check_target: 'questboard/app',
    });
    expect(sent({ ...all, verification: 'simple', autoVerify: false })).toMatchObject({ verification: 'review' });
    expect(sent({ ...all, verification: 'link' })).not.toHaveProperty('shared_code');
  });

  test('BEY-13 a stored value that cannot be shown is kept by sending nothing', () => {
    const { values, bounds } = storedQuest({}, [
      { verification: 'code', requires_proof: false },
      { id: 'task-2', verification: 'check', requires_proof: false, link_url: 'https://shop.example/tour' },
    ]);
    const [code, check] = updatePayload(values).tasks;
    expect(code).toMatchObject({ verification: 'code' });
    expect(code).not.toHaveProperty('shared_code');
    expect(check).toMatchObject({ verification: 'check', link_url: 'https://shop.example/tour' });
    expect(check).not.toHaveProperty('check_target');
    expect(questProblems(values, bounds)).toEqual([]);
  });

  test.each<[Parameters<typeof newQuestValues>[1], string[]]>([
    [{ verification: 'code' }, ['tasks.0.sharedCode']],
    [{ verification: 'code', sharedCode: 'ab-1' }, ['tasks.0.sharedCode']],
    [{ verification: 'code', sharedCode: 'lantern-2026' }, []],
    [{ verification: 'code', codes: ['ABCDE-FGHJK'] }, []],
    [{ verification: 'call' }, ['tasks.0.linkUrl']],
    [{ verification: 'call', linkUrl: 'nowhere' }, ['tasks.0.linkUrl']],
    [{ verification: 'call', ...link }, []],
    [{ verification: 'check', ...link }, ['tasks.0.checkTarget']],
    [{ verification: 'check', ...link, checkTarget: 'https://shop.example' }, []],
    [{ verification: 'check', checkSource: 'github_pull_request' }, ['tasks.0.checkTarget']],
    [
      { verification: 'check', checkSource: 'github_pull_request', checkTarget: 'github.com/a/b' },
      ['tasks.0.checkTarget'],
    ],
    [{ verification: 'check', checkSource: 'github_pull_request', checkTarget: ' questboard/app ' }, []],
  ])('BEY-13 %o lacks %j', (task, fields) => {
    expect(questProblems(newQuestValues({}, task), newBounds).map(({ field }) => field)).toEqual(fields);
  });

  test('BEY-13 single-use codes are numerous, distinct and easy to type', () => {
    const codes = newCompletionCodes(500);
    expect(new Set(codes).size).toBe(500);
    for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/);
  });
});

describe('the payload for an edited quest', () => {
  test('C-75 an unchanged stored quest is sent unchanged', () => {
    const quest = questRow({
      budget_points: 40,
      custom_reward_title: 'A mug',
      custom_reward_description: 'By post',
      collect_emails: true,
      email_collection_purpose: 'Beta invitations',
      starts_at: '2026-05-01T07:00:00.000Z',
      ends_at: '2026-12-01T08:30:00.000Z',
    });
    const task = taskRow({
      type: 'others',
      reward_points: 4,
      requires_proof: false,
      proof_type: 'text',
      verification: 'automatic',
      auto_verify: true,
    });
    expect(updatePayload(storedValues(quest, [task]))).toEqual({
      quest: {
        title: quest.title,
        summary: quest.summary,
        details_md: quest.details_md,
        budget_points: 40,
        custom_reward_title: 'A mug',
        custom_reward_description: 'By post',
        collect_emails: true,
        email_collection_purpose: 'Beta invitations',
        review_hours: 72,
        starts_at: quest.starts_at,
        ends_at: quest.ends_at,
      },
      tasks: [
        {
          id: task.id,
          title: task.title,
          type: 'others',
          instructions_md: task.instructions_md,
          reward_points: 4,
          max_completions: task.max_completions,
          requires_proof: false,
          proof_type: 'text',
          verification: 'automatic',
        },
      ],
    });
  });

  test('C-75 a quest with only a custom reward opens as such and pays no points', () => {
    const custom = { custom_reward_title: 'A mug', custom_reward_description: 'By post', budget_points: 0 };
    const { values } = storedQuest(custom, [{ reward_points: 0 }]);
    expect(values.rewardType).toBe('custom');
    expect(allocatedPoints({ ...values, tasks: values.tasks.map((task) => ({ ...task, rewardPoints: 50 })) })).toBe(0);
    expect(updatePayload(values)).toMatchObject({ quest: { budget_points: 0 }, tasks: [{ reward_points: 0 }] });
  });

  test('QEDIT-14 the payload keeps ids and order, and new tasks have no id', () => {
    const { values } = storedQuest();
    const added = { ...newTask(values), title: ' New ' };
    const { tasks } = updatePayload({ ...values, tasks: [added, ...values.tasks] });
    expect(tasks.map((task) => ['id' in task ? task.id : null, task.title])).toEqual([
      [null, 'New'],
      ['task-1', 'Try the app'],
      ['task-2', 'Try the app'],
    ]);
  });
});

test('QEDIT-06 a new task defaults to 50 points, or what is left, and asks for a screenshot', () => {
  const { values } = storedQuest({}, [{ reward_points: 47, max_completions: 10 }]);
  expect(newTask({ ...values, tasks: [] })).toEqual({
    taskId: null,
    title: '',
    type: 'visit',
    instructions: '',
    rewardPoints: 50,
    maxCompletions: 1,
    verification: 'screenshot',
    autoVerify: false,
    linkUrl: '',
    sharedCode: '',
    codes: [],
    checkSource: '',
    checkTarget: '',
  });
  expect(newTask(values).rewardPoints).toBe(30);
});

test('C-98 pending proofs of removed tasks are counted', () => {
  const tasks = [taskRow({ pending_count: 2 }), taskRow({ id: 'task-2', pending_count: 3 }), taskRow({ id: 'task-3' })];
  const { values } = storedQuest({}, tasks);
  expect(removedWaiting(values, tasks)).toBe(0);
  expect(removedWaiting({ tasks: values.tasks.slice(0, 1) }, tasks)).toBe(3);
  expect(removedWaiting({ tasks: [newTask({ ...values, tasks: [] })] }, tasks)).toBe(5);
});

test('C-75 the reward type of a stored quest follows from its rewards', () => {
  const custom = { custom_reward_title: 'A mug', custom_reward_description: 'By post' };
  const typeOf = (quest: object, ...points: number[]) =>
    storedValues(
      questRow(quest),
      points.map((reward_points, index) => taskRow({ id: `task-${index}`, reward_points })),
    ).rewardType;
  expect(typeOf({}, 0)).toBe('points');
  expect(typeOf(custom, 0, 25)).toBe('both');
  expect(typeOf(custom, 0)).toBe('custom');
});

test('a first paragraph of 160 characters is not cut', () => {
  expect(questSummary('x'.repeat(160))).toBe('x'.repeat(160));
  expect(questSummary(`${'x'.repeat(150)} ${'y'.repeat(20)}`)).toBe(`${'x'.repeat(150)}…`);
  expect(questSummary('  One.  \nTwo.')).toBe('One.');
});

test('texts are sent trimmed, and blank ones as null', () => {
  const { values } = storedQuest();
  const typed = { title: ' T ', summary: ' S ', details: ' D ', rewardType: 'both', customRewardTitle: ' M ' } as const;
  const more = { customRewardDescription: ' B ', collectEmail: true, emailCollectionPurpose: ' P ' };
  expect(updatePayload({ ...values, ...typed, ...more }).quest).toMatchObject({
    title: 'T',
    summary: 'S',
    details_md: 'D',
    custom_reward_title: 'M',
    custom_reward_description: 'B',
    email_collection_purpose: 'P',
  });
  const blank = updatePayload({ ...values, collectEmail: true, emailCollectionPurpose: ' ' });
  expect(blank.quest.email_collection_purpose).toBeNull();
  const code = createPayload(newQuestValues({}, { verification: 'code', sharedCode: ' ' })).task;
  expect(code).not.toHaveProperty('shared_code');
  expect(code).not.toHaveProperty('single_use_codes');
  const check = createPayload(newQuestValues({}, { verification: 'check', checkTarget: ' ' })).task;
  expect(check).not.toHaveProperty('check_source');
});

test("C-75 a stored quest's missing values are blank in the form, and a new task has no id", () => {
  const values = storedValues(questRow(), [taskRow()]);
  expect(values).toMatchObject({ customRewardTitle: '', customRewardDescription: '', emailCollectionPurpose: '' });
  expect(values.tasks[0]).toMatchObject({ linkUrl: '' });
  const added = { ...values, tasks: [newTask(values)] };
  expect(updatePayload(added).tasks[0]).not.toHaveProperty('id');
});

test('C-36 a quest that no longer gives points has no budget', () => {
  const { values } = storedQuest();
  expect(values.budgetPoints).toBeGreaterThan(0);
  expect(updatePayload({ ...values, rewardType: 'custom' }).quest.budget_points).toBe(0);
});

test('custom instructions belong to the template that asks for them', () => {
  const values = newQuestValues({ selectedTemplate: 1, customInstructions: 'Step 1' }, { instructions: ' D ' });
  expect(createPayload(values).task.instructions_md).toBe('D');
});
