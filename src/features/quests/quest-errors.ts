import type { ErrorOverrides } from '@/lib/errors';
import { outcomeUnknownSentence } from '@/lib/send-once';

const unforeseen = 'Failed to create the quest. Please try again or contact support if the issue persists.';

/** What to tell a founder whose quest was not created (QNEW-20). */
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

/** What a failed save reads (QEDIT-14). Only what is known to have failed is called that (C-99). */
export const updateQuestErrors: ErrorOverrides = {
  codes: { OUTCOME_UNKNOWN: outcomeUnknownSentence },
  prefix: 'Failed to update quest',
};
