import { type AppError, type ErrorOverrides, hadNoEffect } from '@/lib/errors';
import { outcomeUnknownSentence } from '@/lib/send-once';

/** Codes of upload.ts beside those of the catalogue. */
export const uploadCodes = { invalidKey: 'UPLOAD_INVALID_KEY', failed: 'UPLOAD_FAILED' } as const;

const network = 'Network error. Please check your connection and try again.';
const authentication = 'Authentication error. Please refresh the page and try again.';

/** Nobody knows yet, or it is known that nothing happened. */
const isUnclear = ({ code }: AppError): boolean => code === 'NOT_APPLIED' || code === 'OUTCOME_UNKNOWN';

/**
 * What the proof dialog says after a failure (QUEST-22). A rule that the server worded for people, such as 'Quest Full'
 * or 'Rate limit exceeded', keeps its own sentence: it says what to do, which the general sentence does not.
 */
export const submitProofErrors: ErrorOverrides = {
  codes: {
    [uploadCodes.invalidKey]: 'File upload failed due to invalid filename. Please rename your file and try again.',
    TOO_LARGE: 'File is too large. Please use a file smaller than 10MB.',
    NETWORK: network,
    SESSION_EXPIRED: authentication,
    UNAUTHENTICATED: authentication,
  },
  fallback: 'Failed to submit proof. Please try again.',
  // After a lost answer: what was found out (C-99).
  isWorded: (error) =>
    isUnclear(error) || (hadNoEffect(error) && error.code !== 'UNKNOWN' && error.code !== uploadCodes.failed),
};

/** Whether a database message, kept as the cause, names the function; it is never shown itself. */
function names(error: unknown, word: string): boolean {
  for (let at: unknown = error, depth = 0; at && typeof at === 'object' && depth < 5; depth++) {
    if ('message' in at && typeof at.message === 'string' && at.message.includes(word)) return true;
    at = 'cause' in at ? at.cause : null;
  }
  return false;
}

const waitAMoment = 'Please wait a moment before trying again.';
const signIn = 'Please sign in again to continue.';

/** What the red toast of quick verify says (QUEST-15). */
export function quickVerifyErrors(error: unknown): ErrorOverrides {
  if (names(error, 'credit_points_safe')) {
    const text = 'A database function has an issue and fallbacks are in use. Please try again.';
    return { fallback: text, isWorded: () => false };
  }
  return {
    codes: {
      ALREADY_SUBMITTED: 'You have already completed this task!',
      RATE_LIMITED: waitAMoment,
      BUSY: waitAMoment,
      // Known to have changed nothing, or not known at all (C-99).
      NOT_APPLIED: network,
      OUTCOME_UNKNOWN: outcomeUnknownSentence,
      NETWORK: network,
      SESSION_EXPIRED: signIn,
      UNAUTHENTICATED: signIn,
    },
    prefix: 'Failed to quick verify',
    isWorded: () => true,
  };
}
