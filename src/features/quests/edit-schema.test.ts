import {
  newTask,
  type QuestEditValues,
  questEditPayload,
  questEditSchema,
  saveProblem,
  type TaskValues,
} from './edit-form';

const task: TaskValues = {
  taskId: 't1',
  title: 'Visit',
  type: 'visit',
  instructions: 'Go there',
  rewardPoints: 50,
  maxCompletions: 2,
  requiresProof: true,
  proofType: 'link',
};
const valid: QuestEditValues = {
  title: 'Title',
  summary: 'Summary',
  details: 'Details',
  budgetPoints: 500,
  tasks: [task],
};

function inline(change: Partial<QuestEditValues>): string[] {
  return questEditSchema.safeParse({ ...valid, ...change }).error?.issues.map((issue) => issue.message) ?? [];
}
const alert = (change: Partial<QuestEditValues>) => saveProblem({ ...valid, ...change });

test('a quest within its rules may be saved', () => {
  expect(inline({})).toEqual([]);
  expect(alert({})).toBeNull();
});

test('QEDIT-10 title and summary are required, with a message inline and another on saving', () => {
  expect(inline({ title: ' ' })).toEqual(['Quest title is required']);
  expect(alert({ title: ' ' })).toBe('Please enter a quest title.');
  expect(inline({ summary: '' })).toEqual(['Quest summary is required']);
  expect(alert({ summary: '' })).toBe('Please enter a quest summary.');
});

test.each([99, 5001, 0])('QEDIT-11 a budget of %i is refused', (budgetPoints) => {
  expect(inline({ budgetPoints })).toEqual(['Budget must be between 100 and 5000 points.']);
  expect(alert({ budgetPoints })).toBe('Budget must be between 100 and 5000 points.');
});

test.each([100, 5000])('QEDIT-11 a budget of %i is accepted', (budgetPoints) => {
  expect(alert({ budgetPoints })).toBeNull();
});

test('QEDIT-12 each task is checked, and named by its number on saving', () => {
  const second = (change: Partial<TaskValues>) => ({ tasks: [task, { ...task, ...change }] });
  expect(alert(second({ title: '' }))).toBe('Please enter a title for Task 2.');
  expect(alert(second({ instructions: ' ' }))).toBe('Please enter instructions for Task 2.');
  expect(alert(second({ rewardPoints: 9 }))).toBe('Points must be between 10 and 500');
  expect(inline(second({ rewardPoints: 501 }))).toEqual(['Points must be between 10 and 500']);
  expect(alert(second({ maxCompletions: 0 }))).toBe('Must allow at least 1 completion');
  expect(inline(second({ maxCompletions: 0 }))).toEqual(['Must allow at least 1 completion']);
  expect(alert(second({ rewardPoints: 10, maxCompletions: 1 }))).toBeNull();
});

test('QEDIT-06 a new task proposes 50 points, or what is left', () => {
  expect(newTask({ budgetPoints: 500, tasks: [] })).toEqual({
    taskId: null,
    title: '',
    type: 'visit',
    instructions: '',
    rewardPoints: 50,
    maxCompletions: 1,
    requiresProof: true,
    proofType: 'screenshot',
  });
  expect(newTask({ budgetPoints: 130, tasks: [task] }).rewardPoints).toBe(30);
});

test('QEDIT-14 the payload keeps ids and order, and leaves new tasks without an id', () => {
  const added = { ...task, taskId: null, title: ' New ' };
  const payload = questEditPayload({ ...valid, tasks: [added, task] });
  expect(payload.tasks.map((t) => ['id' in t ? t.id : null, t.title])).toEqual([
    [null, 'New'],
    ['t1', 'Visit'],
  ]);
  expect(payload.quest).toEqual({ title: 'Title', summary: 'Summary', details_md: 'Details', budget_points: 500 });
});
