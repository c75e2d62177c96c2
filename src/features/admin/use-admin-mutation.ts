import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { toAppError } from '@/lib/errors';

/**
 * An admin's action. What an admin changes shows on many screens, so everything is read again; `mutateAsync` resolves when
 * what is on the screen is new. Also after a failure: a refusal often means that the screen showed old news.
 */
export function useAdminMutation<Input, Output>(
  run: (input: Input) => Promise<Output>,
): UseMutationResult<Output, Error, Input> {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: run, onSettled: () => queryClient.invalidateQueries() });
}

/**
 * The stated sentence for a failure, with the reason after it where there is one worth reading: a refusal in the database's
 * own words, or a lost connection.
 */
export function withReason(sentence: string, error: unknown): string {
  const { code, message } = toAppError(error);
  return code === 'UNKNOWN' ? sentence : `${sentence.replace(/\.$/, '')}: ${message}`;
}
