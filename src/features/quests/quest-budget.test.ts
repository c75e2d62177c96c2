import { affordableParticipants, questTotal, remainingPoints, trialLimits } from './create-form';

test('QNEW-17 what remains is the limit less amount times participants', () => {
  const total = (rewardAmount: number) => questTotal({ rewardType: 'points', rewardAmount, maxParticipants: 20 });
  expect(remainingPoints(total(20), trialLimits)).toBe(100);
  expect(remainingPoints(total(25), trialLimits)).toBe(0);
  expect(remainingPoints(total(50), trialLimits)).toBe(-500);
});

test('budgets of other quests count, and a subscription lifts the limit', () => {
  expect(remainingPoints(100, { budgetPoints: 500, usedPoints: 300 })).toBe(100);
  expect(remainingPoints(9000, { budgetPoints: null, usedPoints: 300 })).toBeNull();
});

test('a custom reward alone costs no points', () => {
  expect(questTotal({ rewardType: 'custom', rewardAmount: 50, maxParticipants: 20 })).toBe(0);
});

test('the offered number of participants fits the limit', () => {
  expect(affordableParticipants(50, trialLimits)).toBe(10);
  expect(affordableParticipants(75, trialLimits)).toBe(6);
  expect(affordableParticipants(900, trialLimits)).toBe(1);
});
