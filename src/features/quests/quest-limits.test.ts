import {
  addTaskRefusal,
  affordableParticipants,
  budgetNotice,
  overBudgetMessage,
  remainingPoints,
  taskBudget,
  toQuestLimits,
  totalLimitMessage,
} from './quest-limits';
import { trialLimits } from './testing/form-values';
import { projectLimits } from './testing/rows';

test('QNEW-17 the remainder is the limit minus the quest', () => {
  expect(remainingPoints(400, trialLimits)).toBe(100);
  expect(remainingPoints(500, trialLimits)).toBe(0);
  expect(remainingPoints(1000, trialLimits)).toBe(-500);
});

test('budgets of other quests count, and a subscription lifts the limit', () => {
  expect(remainingPoints(100, { budgetPoints: 500, usedPoints: 300 })).toBe(100);
  expect(remainingPoints(9000, { budgetPoints: null, usedPoints: 300 })).toBeNull();
});

test('C-75 a stored quest does not count against its own limit', () => {
  expect(toQuestLimits(projectLimits({ budget_used: 450 }), true, 400).usedPoints).toBe(50);
});

test('the suggested number of participants fits the limit', () => {
  expect(affordableParticipants(50, trialLimits)).toBe(10);
  expect(affordableParticipants(75, trialLimits)).toBe(6);
  expect(affordableParticipants(900, trialLimits)).toBe(1);
});

test('QEDIT-07 remainder and usage follow from what is allocated', () => {
  expect(taskBudget(500, 250)).toMatchObject({ allocated: 250, remaining: 250, usage: 50 });
});

test.each([
  [0, 0],
  [400, 80],
  [401, 80.2],
  [500, 100],
  [501, 100.2],
])('QEDIT-07 %i of 500 points is %d percent', (points, usage) => {
  expect(taskBudget(500, points).usage).toBeCloseTo(usage);
});

test('QEDIT-08 a full budget says so, an exceeded one by how much', () => {
  expect(budgetNotice(taskBudget(500, 499))).toBeNull();
  expect(budgetNotice(taskBudget(500, 500))).toBe('Budget fully allocated');
  expect(budgetNotice(taskBudget(500, 600))).toBe('Over budget by 100 points!');
});

test('an empty budget is 0 percent used while nothing is allocated (C-41)', () => {
  expect(taskBudget(0, 0).usage).toBe(0);
  expect(taskBudget(0, 10)).toMatchObject({ usage: Number.POSITIVE_INFINITY, remaining: -10 });
});

test('QEDIT-09 no task is added when nothing remains', () => {
  expect(addTaskRefusal(taskBudget(500, 499))).toBeNull();
  expect(addTaskRefusal(taskBudget(500, 500))).toBe(
    'Cannot add more tasks. You have 500 points budget and have already allocated 500 points to existing tasks.',
  );
});

test('QEDIT-13 saving over budget is refused with both numbers', () => {
  expect(overBudgetMessage(taskBudget(500, 500))).toBeNull();
  expect(overBudgetMessage(taskBudget(500, 510))).toBe(
    'Cannot save: Total task points (510) exceed your budget (500 points). Please reduce task points or increase your budget.',
  );
});

test('BEY-20 bought points are part of the limit and of its sentence', () => {
  expect(toQuestLimits(projectLimits({ bought_points: 0 }), true).hasBought).toBe(false);
  expect(toQuestLimits(projectLimits({ bought_points: 1 }), true).hasBought).toBe(true);
  expect(totalLimitMessage(trialLimits)).toBe('Total budget exceeds trial limit of 500 points');
  expect(totalLimitMessage({ ...trialLimits, hasBought: true })).not.toBe(totalLimitMessage(trialLimits));
});

test('QNEW-17 without a limit or without points the maximum number of participants is allowed', () => {
  expect(affordableParticipants(50, { ...trialLimits, budgetPoints: null })).toBe(1000);
  expect(affordableParticipants(0, trialLimits)).toBe(1000);
});

test('QEDIT-08 a quest without a budget shows no usage', () => {
  expect(budgetNotice(taskBudget(0, 0))).toBeNull();
  expect(budgetNotice(taskBudget(500, 500))).toBe('Budget fully allocated');
});
