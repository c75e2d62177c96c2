import { toAppError } from '@/lib/errors';

/** Codes of upload.ts beside those of the catalogue. */
export const uploadCodes = { invalidKey: 'UPLOAD_INVALID_KEY', failed: 'UPLOAD_FAILED' } as const;

type Kind = 'invalid-key' | 'too-large' | 'network' | 'unauthorized' | 'rate-limit' | 'already-submitted' | 'other';

const kindOfCode: Readonly<Record<string, Kind>> = {
  [uploadCodes.invalidKey]: 'invalid-key',
  TOO_LARGE: 'too-large',
  NETWORK: 'network',
  SESSION_EXPIRED: 'unauthorized',
  UNAUTHENTICATED: 'unauthorized',
  RATE_LIMITED: 'rate-limit',
  ALREADY_SUBMITTED: 'already-submitted',
};

/** Sorts a failure by its code; a 401 without a code of ours is a refused session, too. */
function kindOf(error: unknown): Kind {
  const { code, status } = toAppError(error);
  return kindOfCode[code] ?? (status === 401 ? 'unauthorized' : 'other');
}

const submitSentences: Readonly<Partial<Record<Kind, string>>> = {
  'invalid-key': 'File upload failed due to invalid filename. Please rename your file and try again.',
  'too-large': 'File is too large. Please use a file smaller than 10MB.',
  network: 'Network error. Please check your connection and try again.',
  unauthorized: 'Authentication error. Please refresh the page and try again.',
};

/**
 * What the proof dialog says after a failure (QUEST-22). A rule that the server worded for people, such as 'Quest Full'
 * or 'Rate limit exceeded', keeps its own sentence: it says what to do, which the general sentence does not.
 */
export function submitProofMessage(error: unknown): string {
  const { code, message, status } = toAppError(error);
  // After a lost answer: what was found out (C-99).
  if (code === 'NOT_APPLIED' || code === 'OUTCOME_UNKNOWN') return message;
  const worded = submitSentences[kindOf(error)];
  if (worded) return worded;
  const isRule = code !== 'UNKNOWN' && code !== uploadCodes.failed && status >= 400 && status < 500;
  return isRule ? message : 'Failed to submit proof. Please try again.';
}

const verifySentences: Readonly<Partial<Record<Kind, string>>> = {
  'already-submitted': 'You have already completed this task!',
  'rate-limit': 'Please wait a moment before trying again.',
  network: 'Network error. Please check your connection and try again.',
  unauthorized: 'Please sign in again to continue.',
};

/** Whether a database message, kept as the cause, names the function; it is never shown itself. */
function names(error: unknown, word: string): boolean {
  for (let at: unknown = error, depth = 0; at && typeof at === 'object' && depth < 5; depth++) {
    if ('message' in at && typeof at.message === 'string' && at.message.includes(word)) return true;
    at = 'cause' in at ? at.cause : null;
  }
  return false;
}

/** What the red toast of quick verify says (QUEST-15). */
export function quickVerifyMessage(error: unknown): string {
  if (names(error, 'credit_points_safe')) {
    return 'A database function has an issue and fallbacks are in use. Please try again.';
  }
  return verifySentences[kindOf(error)] ?? `Failed to quick verify: ${toAppError(error).message}`;
}
