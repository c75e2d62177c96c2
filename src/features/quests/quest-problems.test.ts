import { AppError, describeError } from '@/lib/errors';
import type { QuestFormValues, TaskValues } from './quest-form';
import { createQuestErrors, type QuestBounds, questProblems, questSchema, updateQuestErrors } from './quest-problems';
import { newBounds, newQuestValues, storedQuest, trialLimits } from './testing/form-values';

const told = (values: QuestFormValues, bounds: QuestBounds) =>
  questProblems(values, bounds).map(({ field, message }) => [field, message]);

describe('a new quest', () => {
  const messages = (quest: Partial<QuestFormValues>, task: Partial<TaskValues> = {}, limits = trialLimits) =>
    questProblems(newQuestValues(quest, task), { ...newBounds, limits }).map(({ message }) => message);

  test('20 times 25 points fit the trial exactly', () => {
    expect(messages({})).toEqual([]);
    expect(questSchema(newBounds).safeParse(newQuestValues()).success).toBe(true);
  });

  test('C-113 all problems are reported at once, in the order of the fields', () => {
    const values = newQuestValues(
      { title: ' ', selectedTemplate: 1, rewardType: 'both', startsAt: '2026-05-02T09:00', endsAt: '2026-05-01T09:00' },
      { instructions: '', rewardPoints: 0, maxCompletions: 0 },
    );
    expect(told(values, newBounds)).toEqual([
      ['title', 'Please enter a quest title'],
      ['productUrl', 'Please fill in: Product URL'],
      ['tasks.0.instructions', 'Please enter what members should do'],
      ['tasks.0.rewardPoints', 'Please enter a valid reward amount (minimum 1 point)'],
      ['tasks.0.maxCompletions', 'Please enter a valid number of participants (minimum 1)'],
      ['customRewardTitle', 'Please enter a custom reward title'],
      ['customRewardDescription', 'Please enter a custom reward description'],
      ['endsAt', 'The end must be after the start'],
    ]);
    const issues = questSchema(newBounds).safeParse(values).error?.issues;
    expect(issues?.map(({ path }) => path.join('.'))).toEqual(
      questProblems(values, newBounds).map(({ field }) => field),
    );
  });

  test('C-113 a missing custom reward comes before the proof that the form asks for below it', () => {
    const values = newQuestValues({ rewardType: 'custom' }, { verification: 'code' });
    expect(told(values, newBounds).map(([field]) => field)).toEqual([
      'customRewardTitle',
      'customRewardDescription',
      'tasks.0.sharedCode',
    ]);
  });

  test.each(['custom', 'both'] as const)('QNEW-15 reward type %s requires title and description', (rewardType) => {
    expect(messages({ rewardType, customRewardTitle: ' ' })).toEqual([
      'Please enter a custom reward title',
      'Please enter a custom reward description',
    ]);
    const custom = { rewardType, customRewardTitle: 'Early access', customRewardDescription: 'A month before' };
    expect(messages(custom)).toEqual([]);
  });

  test('QNEW-17 C-69 one reward and the total are at most 500 points on trial; the beta is named only during it', () => {
    const dear = { rewardPoints: 501, maxCompletions: 1 };
    const inBeta = messages({}, dear, { ...trialLimits, isBeta: true });
    expect(inBeta).toEqual(['Beta limit: maximum 500 points per quest']);
    expect(messages({}, dear)).toEqual(['Your trial allows at most 500 points per quest']);
    expect(messages({}, { rewardPoints: 50 })).toEqual(['Total budget exceeds trial limit of 500 points']);
    expect(messages({}, { rewardPoints: 500, maxCompletions: 1 })).toEqual([]);
    expect(messages({}, { rewardPoints: 501 }, { ...trialLimits, budgetPoints: null, rewardPoints: 1000 })).toEqual([]);
  });

  test('a custom reward has no points to check', () => {
    const custom = { rewardType: 'custom', customRewardTitle: 'A', customRewardDescription: 'B' } as const;
    for (const rewardPoints of [0, 900]) expect(messages(custom, { rewardPoints })).toEqual([]);
  });

  test('QNEW-09 the chosen template requires its field, as a valid address', () => {
    expect(messages({ selectedTemplate: 1, productUrl: 'no host' })).toEqual(['Please check the Product URL']);
    expect(messages({ selectedTemplate: 6 })).toEqual(['Please fill in: Website URL']);
    expect(messages({ selectedTemplate: 8, customInstructions: 'Write us a poem' })).toEqual([]);
  });

  test('C-113 a text over its limit names the limit', () => {
    expect(messages({ title: 'x'.repeat(201) })).toEqual(['Please use at most 200 characters']);
    // The stored instructions include the custom ones.
    const custom = { selectedTemplate: 8, customInstructions: 'x'.repeat(900) };
    expect(messages(custom, { instructions: 'x'.repeat(4500) })).toEqual(['Please use at most 5000 characters']);
  });
});

describe('a stored quest', () => {
  const change = (quest: Partial<QuestFormValues>, task: Partial<TaskValues> = {}) => {
    const { bounds, values } = storedQuest();
    const tasks = values.tasks.map((last, index) => (index === 1 ? { ...last, ...task } : last));
    return questProblems({ ...values, tasks, ...quest }, bounds);
  };

  test('can be saved unchanged', () => {
    expect(change({})).toEqual([]);
  });

  test('QEDIT-10 C-57 title, summary and details are required, worded shorter at the field than in the summary', () => {
    expect(change({ title: ' ', summary: '', details: '' })).toEqual([
      { field: 'title', message: 'Quest title is required', summary: 'Please enter a quest title.' },
      { field: 'summary', message: 'Quest summary is required', summary: 'Please enter a quest summary.' },
      { field: 'details', message: 'Quest details are required', summary: 'Please enter the quest details.' },
    ]);
  });

  test('QEDIT-12 each task is checked, and referred to by its number', () => {
    expect(change({}, { title: '', instructions: ' ', rewardPoints: 0, maxCompletions: 0 })).toEqual([
      { field: 'tasks.1.title', message: 'Task title is required', summary: 'Please enter a title for Task 2.' },
      {
        field: 'tasks.1.instructions',
        message: 'Task instructions are required',
        summary: 'Please enter instructions for Task 2.',
      },
      {
        field: 'tasks.1.rewardPoints',
        message: 'Points must be between 1 and 500',
        summary: 'Task 2: Points must be between 1 and 500',
      },
      {
        field: 'tasks.1.maxCompletions',
        message: 'Must allow at least 1 completion',
        summary: 'Task 2: Must allow at least 1 completion',
      },
    ]);
  });

  test('QEDIT-11 C-75 its budget has the limits of a new quest of this project', () => {
    const message = (budgetPoints: number) => change({ budgetPoints, tasks: [] }).map((problem) => problem.message);
    expect(message(1)).toEqual([]);
    expect(message(500)).toEqual([]);
    expect(message(0)).toEqual(['Budget must be between 1 and 500 points.']);
    expect(message(501)).toEqual(['Total budget exceeds trial limit of 500 points']);
  });

  test('C-75 stored values beyond current limits may stay, but not grow', () => {
    const { bounds, values } = storedQuest({ budget_points: 3000 }, [{ reward_points: 800, max_completions: 3 }]);
    expect(questProblems({ ...values, title: 'A typo less' }, bounds)).toEqual([]);
    expect(told({ ...values, budgetPoints: 3001 }, bounds)).toEqual([
      ['budgetPoints', 'Total budget exceeds trial limit of 500 points'],
    ]);
    const dearer = values.tasks.map((task) => ({ ...task, rewardPoints: 801 }));
    expect(told({ ...values, tasks: dearer }, bounds)).toEqual([
      ['tasks.0.rewardPoints', 'Points must be between 1 and 800'],
    ]);
  });

  test('C-75 zero points are allowed with a custom reward', () => {
    const custom = { customRewardTitle: 'A mug', customRewardDescription: 'By post' };
    expect(change({ ...custom, rewardType: 'both' }, { rewardPoints: 0 })).toEqual([]);
    expect(change({ ...custom, rewardType: 'custom', budgetPoints: 0 }, { rewardPoints: 0 })).toEqual([]);
  });

  test('QEDIT-13 the tasks must fit the budget, reported at the budget', () => {
    expect(change({ budgetPoints: 499 }).map(({ field, message }) => [field, message])).toEqual([
      [
        'budgetPoints',
        'Cannot save: Total task points (500) exceed your budget (499 points). Please reduce task points or increase your budget.',
      ],
    ]);
  });

  test('BEY-07 a past end blocks only a published quest', () => {
    const passed = { starts_at: '2025-01-01T00:00:00Z', ends_at: '2025-02-01T00:00:00Z' };
    const published = storedQuest(passed);
    expect(told(published.values, published.bounds)).toEqual([
      ['endsAt', 'The end of this quest has passed. Please choose a later one.'],
    ]);
    const closed = storedQuest({ ...passed, status: 'closed' });
    expect(told(closed.values, closed.bounds)).toEqual([]);
  });
});

describe('C-75 once there are proofs, promised terms can only be improved', () => {
  const promised = {
    submission_count: 1,
    custom_reward_title: 'A mug',
    custom_reward_description: 'By post',
    collect_emails: true,
    email_collection_purpose: 'Beta invitations',
  };
  const problems = (change: (values: QuestFormValues) => Partial<QuestFormValues>) => {
    const { bounds, values } = storedQuest(promised, [{ reward_points: 25, approved_count: 3 }, { id: 'task-2' }]);
    return told({ ...values, ...change(values) }, bounds);
  };
  const withFirst = (task: Partial<TaskValues>) =>
    problems(({ tasks }) => ({ tasks: tasks.map((last, index) => (index === 0 ? { ...last, ...task } : last)) }));

  test('the points of a task may be raised, not lowered', () => {
    expect(withFirst({ rewardPoints: 24 })).toEqual([
      [
        'tasks.0.rewardPoints',
        'Members have taken part for the 25 points of Task 1. You can raise them, not lower them.',
      ],
    ]);
    expect(withFirst({ rewardPoints: 25 })).toEqual([]);
    expect(withFirst({ rewardPoints: 26, maxCompletions: 9 })).toEqual([]);
  });

  test('taken slots remain', () => {
    expect(withFirst({ maxCompletions: 2 })).toEqual([
      ['tasks.0.maxCompletions', 'Cannot allow fewer completions than have already been submitted'],
    ]);
  });

  test("the custom reward's text may be extended, not changed", () => {
    expect(problems(() => ({ customRewardTitle: 'A mug and a pin', customRewardDescription: 'By post.' }))).toEqual([]);
    const sentence =
      'Members have taken part for the custom reward. You can add to its words, not change or remove them.';
    expect(problems(() => ({ customRewardTitle: 'A pin', customRewardDescription: 'Fetch it' }))).toEqual([
      ['customRewardTitle', sentence],
      ['customRewardDescription', sentence],
    ]);
  });
});

test.each([
  [
    new AppError('STARTUP_ID_NOT_FOUND', 'Startup with ID 7 not found', 404),
    'Your project profile was not found. Please create your project profile first and try again.',
  ],
  [
    new AppError('INSUFFICIENT_POINTS', 'Insufficient points balance', 409),
    "You don't have enough points to create this quest. Please check your wallet balance.",
  ],
  [
    new AppError('UNKNOWN', 'Something went wrong on our side. Please try again.', 500),
    'Failed to create the quest. Please try again or contact support if the issue persists.',
  ],
  [new AppError('QUEST_LIMIT', 'Beta limit reached: one quest', 409), 'Beta limit reached: one quest'],
  [new AppError('QUEST_LIMIT', '', 409), 'Failed to create quest.'],
])('QNEW-20 %s', (error, message) => {
  expect(describeError(error, createQuestErrors)).toBe(message);
});

test('C-01 a raised reward that the project cannot pay is refused with the spots that it is reserved for', () => {
  const error = new AppError('INSUFFICIENT_POINTS', 'Insufficient points balance', 409);
  expect(describeError(error, updateQuestErrors)).toMatch(
    /A higher reward is reserved for every spot that is not paid/,
  );
  expect(describeError(new AppError('TASK_NOT_FOUND', 'Task not found', 404), updateQuestErrors)).toBe(
    'Failed to update quest: Task not found',
  );
});
