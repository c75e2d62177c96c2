import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { KnownCall } from '@/lib/stale-queries';

/** An admin mutation; `mutateAsync` resolves after the active queries have been refetched. */
export function useAdminMutation<Input, Output>(
  call: KnownCall,
  run: (input: Input) => Promise<Output>,
): UseMutationResult<Output, Error, Input> {
  return useMutation({ mutationFn: run, meta: { calls: [call] } });
}
