import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { callFunction } from '@/lib/edge-functions';
import { questQueries } from './queries';

const checkSources = z.object({ sources: z.array(z.enum(['endpoint', 'github_pull_request'])) });

/** Apart from the quests' other reads, which the first page loads without a schema library. */
export const checkQueries = {
  /** Whom a check can ask: the project's address, and the connectors that are switched on here. */
  sources: () =>
    queryOptions({
      queryKey: questQueries.keys.checkSources,
      queryFn: async ({ signal }) =>
        checkSources.parse(await callFunction('check-task', { listSources: true }, signal)).sources,
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
