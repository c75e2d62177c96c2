import { type QueryClient, QueryClientProvider, type UseMutationResult } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { createQueryClient } from '../query-client';

/** Runs a mutation without a component. `stale` are the keys that it has invalidated; `error` is null on success. */
export async function runMutation<Output, Input>(
  useIt: () => UseMutationResult<Output, Error, Input>,
  input: NoInfer<Input>,
  queryClient: QueryClient = createQueryClient(),
): Promise<{ data: Output | undefined; error: Error | null; stale: (readonly unknown[])[]; queryClient: QueryClient }> {
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: queryClient }, children);
  const { result } = renderHook(useIt, { wrapper });
  let data: Output | undefined;
  let error: Error | null = null;
  await act(async () => {
    try {
      data = await result.current.mutateAsync(input);
    } catch (reason) {
      error = reason as Error;
    }
  });
  const stale = invalidate.mock.calls.map(([filters]) => filters?.queryKey ?? []);
  return { data, error, stale, queryClient };
}
