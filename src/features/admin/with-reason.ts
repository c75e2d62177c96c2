import { toAppError } from '@/lib/errors';

/**
 * The stated sentence for a failure, with the reason after it where there is one worth reading: a refusal in the database's
 * own words, or a lost connection.
 */
export function withReason(sentence: string, error: unknown): string {
  const { code, message } = toAppError(error);
  return code === 'UNKNOWN' ? sentence : `${sentence.replace(/\.$/, '')}: ${message}`;
}
