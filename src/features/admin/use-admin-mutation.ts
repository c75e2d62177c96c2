import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { toAppError } from '@/lib/errors';
import type { KnownCall } from '@/lib/stale-queries';

/** An admin's action; `mutateAsync` resolves when what is on the screen is new. */
export function useAdminMutation<Input, Output>(
  call: KnownCall,
  run: (input: Input) => Promise<Output>,
): UseMutationResult<Output, Error, Input> {
  return useMutation({ mutationFn: run, meta: { calls: [call] } });
}

/**
 * The stated sentence for a failure, with the reason after it where there is one worth reading: a refusal in the database's
 * own words, or a lost connection.
 */
export function withReason(sentence: string, error: unknown): string {
  const { code, message } = toAppError(error);
  return code === 'UNKNOWN' ? sentence : `${sentence.replace(/\.$/, '')}: ${message}`;
}
