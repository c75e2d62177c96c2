import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';

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
