import { type ErrorOverrides, hadNoEffect } from '@/lib/errors';

/** Error codes of upload.ts besides those of the catalogue. */
export const uploadCodes = { invalidKey: 'UPLOAD_INVALID_KEY', failed: 'UPLOAD_FAILED' } as const;

const network = 'Network error. Please check your connection and try again.';
const authentication = 'Authentication error. Please refresh the page and try again.';

/**
 * Message of the proof dialog after a failure (QUEST-22). Server errors with a sentence of their own, such as 'Quest
 * Full' or 'Rate limit exceeded', keep it, because it says what to do and the general message does not.
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
  // NOT_APPLIED: after a lost answer, the lookup has shown that it had no effect (C-99).
  isMessageUseful: (error) =>
    error.code === 'NOT_APPLIED' ||
    (hadNoEffect(error) && error.code !== 'UNKNOWN' && error.code !== uploadCodes.failed),
};

/** Whether the original database message (the cause, which is never shown) names the function. */
function names(error: unknown, word: string): boolean {
  for (let at: unknown = error, depth = 0; at && typeof at === 'object' && depth < 5; depth++) {
    if ('message' in at && typeof at.message === 'string' && at.message.includes(word)) return true;
    at = 'cause' in at ? at.cause : null;
  }
  return false;
}

const waitAMoment = 'Please wait a moment before trying again.';
const signIn = 'Please sign in again to continue.';

/** Message beside the code or the Verify button of a task that needs no reviewer (BEY-13). */
export const verificationErrors: ErrorOverrides = {
  ...submitProofErrors,
  codes: { ...submitProofErrors.codes, RATE_LIMITED: waitAMoment },
};

/** For a code: when the answer to a wrong one is lost, there is no submission either, but it has used up a try. */
export const codeErrors: ErrorOverrides = {
  ...verificationErrors,
  codes: {
    ...verificationErrors.codes,
    NOT_APPLIED: 'Not completed: your code did not reach us, or it is wrong.',
  },
};

/** Message of the error toast of quick verify (QUEST-15). */
export function quickVerifyErrors(error: unknown): ErrorOverrides {
  if (names(error, 'credit_points_safe')) {
    const text = 'A database function has an issue and fallbacks are in use. Please try again.';
    return { fallback: text, isMessageUseful: () => false };
  }
  return {
    codes: {
      ALREADY_SUBMITTED: 'You have already completed this task!',
      RATE_LIMITED: waitAMoment,
      BUSY: waitAMoment,
      // The lookup has shown that it had no effect (C-99).
      NOT_APPLIED: network,
      NETWORK: network,
      SESSION_EXPIRED: signIn,
      UNAUTHENTICATED: signIn,
    },
    prefix: 'Failed to quick verify',
    isMessageUseful: () => true,
  };
}
