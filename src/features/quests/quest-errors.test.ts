import { AppError, describeError } from '@/lib/errors';
import { createQuestErrors } from './quest-errors';

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
