import { emptyQuest, type QuestFormValues, questProblems, questSchema, trialLimits as trial } from './create-form';

const valid: QuestFormValues = { ...emptyQuest, title: 'Try it', description: 'Sign up.' };

function messages(change: Partial<QuestFormValues>, limits = trial) {
  return questProblems({ ...valid, ...change }, limits).map((problem) => problem.message);
}

test('a quest of 20 times 25 points fits the trial exactly', () => {
  expect(messages({})).toEqual([]);
  expect(questSchema(trial).safeParse(valid).success).toBe(true);
});

test('QNEW-14 a blank title is told first', () => {
  expect(messages({ title: '  ', rewardAmount: 0 })[0]).toBe('Please enter a quest title');
});

test.each(['custom', 'both'] as const)('QNEW-15 reward type %s requires title and description', (rewardType) => {
  expect(messages({ rewardType, customRewardTitle: ' ' })).toEqual([
    'Please enter a custom reward title',
    'Please enter a custom reward description',
  ]);
  expect(
    messages({ rewardType, customRewardTitle: 'Early access', customRewardDescription: 'A month before' }),
  ).toEqual([]);
});

test('QNEW-16 reward and participants are at least 1', () => {
  expect(messages({ rewardAmount: 0 })).toEqual(['Please enter a valid reward amount (minimum 1 point)']);
  expect(messages({ maxParticipants: 0 })).toEqual(['Please enter a valid number of participants (minimum 1)']);
});

test('QNEW-17 one reward and the total are at most 500 points on trial', () => {
  expect(messages({ rewardAmount: 501, maxParticipants: 1 })[0]).toBe('Beta limit: maximum 500 points per quest');
  expect(messages({ rewardAmount: 50 })).toEqual(['Total budget exceeds trial limit of 500 points']);
  expect(messages({ rewardAmount: 500, maxParticipants: 1 })).toEqual([]);
  expect(messages({ rewardAmount: 501 }, { ...trial, budgetPoints: null, rewardPoints: 1000 })).toEqual([]);
});

test('a custom reward has no points to check', () => {
  const custom = { rewardType: 'custom', customRewardTitle: 'A', customRewardDescription: 'B' } as const;
  expect(messages({ ...custom, rewardAmount: 0 })).toEqual([]);
  expect(messages({ ...custom, rewardAmount: 900 })).toEqual([]);
});

test('QNEW-09 the chosen template requires its field, as an address that opens', () => {
  expect(messages({ selectedTemplate: 1 })).toEqual(['Please fill in: Product URL']);
  expect(messages({ selectedTemplate: 1, productUrl: 'no host' })).toEqual(['Please check the Product URL']);
  expect(messages({ selectedTemplate: 6 })).toEqual(['Please fill in: Website URL']);
  expect(messages({ selectedTemplate: 8, customInstructions: 'Write us a poem' })).toEqual([]);
});

test('the schema puts each message beside its field', () => {
  const result = questSchema(trial).safeParse({ ...valid, title: '', rewardAmount: 50 });
  expect(result.error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([
    ['title', 'Please enter a quest title'],
    ['maxParticipants', 'Total budget exceeds trial limit of 500 points'],
  ]);
});
