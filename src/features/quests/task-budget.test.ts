import { addTaskRefusal, budgetNotice, overBudgetMessage, taskBudget } from './edit-form';

const tasks = (...costs: [points: number, completions: number][]) =>
  costs.map(([rewardPoints, maxCompletions]) => ({ rewardPoints, maxCompletions }));

test('QEDIT-07 allocated is points times completions, remaining and usage follow', () => {
  expect(taskBudget(500, tasks([50, 2], [10, 15]))).toMatchObject({ allocated: 250, remaining: 250, usage: 50 });
});

test.each([
  [0, 0],
  [400, 80],
  [401, 80.2],
  [500, 100],
  [501, 100.2],
])('QEDIT-07 %i of 500 points is %d percent', (points, usage) => {
  expect(taskBudget(500, tasks([points, 1])).usage).toBeCloseTo(usage);
});

test('QEDIT-08 a full budget says so, an exceeded one by how much', () => {
  expect(budgetNotice(taskBudget(500, tasks([499, 1])))).toBeNull();
  expect(budgetNotice(taskBudget(500, tasks([500, 1])))).toBe('Budget fully allocated');
  expect(budgetNotice(taskBudget(500, tasks([50, 12])))).toBe('Over budget by 100 points!');
});

test('an empty budget is 0 percent used while nothing is allocated (C-41)', () => {
  expect(taskBudget(0, []).usage).toBe(0);
  expect(taskBudget(0, tasks([10, 1]))).toMatchObject({ usage: Number.POSITIVE_INFINITY, remaining: -10 });
});

test('QEDIT-09 no task is added when nothing remains', () => {
  expect(addTaskRefusal(taskBudget(500, tasks([499, 1])))).toBeNull();
  expect(addTaskRefusal(taskBudget(500, tasks([50, 10])))).toBe(
    'Cannot add more tasks. You have 500 points budget and have already allocated 500 points to existing tasks.',
  );
});

test('QEDIT-13 saving over budget is worded with both numbers', () => {
  expect(overBudgetMessage(taskBudget(500, tasks([50, 10])))).toBeNull();
  expect(overBudgetMessage(taskBudget(500, tasks([51, 10])))).toBe(
    'Cannot save: Total task points (510) exceed your budget (500 points). Please reduce task points or increase your budget.',
  );
});
