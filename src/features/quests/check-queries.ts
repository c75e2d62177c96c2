import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { callFunction } from '@/lib/authorized-fetch';
import { questQueries } from './queries';

const checkSources = z.object({ sources: z.array(z.enum(['endpoint', 'github_pull_request'])) });

/** Separate from the other quest queries, which the first page loads without a schema library. */
export const checkQueries = {
  /** Sources that a check can use: the project's endpoint, and the connectors enabled on this installation. */
  sources: () =>
    queryOptions({
      queryKey: questQueries.keys.checkSources,
      queryFn: async ({ signal }) =>
        checkSources.parse(await callFunction('check-task', { listSources: true }, signal)).sources,
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
