import type { ErrorOverrides } from '@/lib/errors';
import { outcomeUnknownSentence } from '@/lib/send-once';

const unforeseen = 'Failed to create the quest. Please try again or contact support if the issue persists.';

/** Message when creating a quest failed (QNEW-20). */
export const createQuestErrors: ErrorOverrides = {
  codes: {
    STARTUP_ID_NOT_FOUND: 'Your project profile was not found. Please create your project profile first and try again.',
    INSUFFICIENT_POINTS: "You don't have enough points to create this quest. Please check your wallet balance.",
    UNKNOWN: unforeseen,
    TIMEOUT: unforeseen,
    NOT_FOUND: unforeseen,
  },
  fallback: 'Failed to create quest.',
};

/** Message when saving failed (QEDIT-14). An unknown outcome is not called a failure (C-99). */
export const updateQuestErrors: ErrorOverrides = {
  codes: { OUTCOME_UNKNOWN: outcomeUnknownSentence },
  prefix: 'Failed to update quest',
};
