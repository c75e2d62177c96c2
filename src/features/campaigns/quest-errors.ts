import { AppError } from '@/lib/errors';

/** Failures that nobody foresaw: the server broke, not the form. */
const unforeseen = new Set(['UNKNOWN', 'TIMEOUT', 'NOT_FOUND']);

/** What to tell a founder whose quest was not created (QNEW-20). */
export function createQuestMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const code = error instanceof AppError ? error.code : null;
  if (message.includes('Startup with ID') && message.includes('not found')) {
    return 'Your startup profile was not found. Please create your startup profile first and try again.';
  }
  if (code === 'INSUFFICIENT_POINTS' || /insufficient points/i.test(message)) {
    return "You don't have enough points to create this quest. Please check your wallet balance.";
  }
  if (code !== null && unforeseen.has(code)) {
    return 'Failed to create the quest. Please try again or contact support if the issue persists.';
  }
  return message || 'Failed to create quest.';
}
