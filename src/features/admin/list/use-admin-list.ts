import { hashKey, type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { pagedList } from './paged-list';
import { useSteadyRows } from './use-steady-rows';

/**
 * A list whose background refresh moves nothing. `showNew` takes what waits; call `accept` after an action of one's own,
 * whose effect is expected: it takes the list as it was just read.
 */
export function useAdminList<Row>(options: ReturnType<typeof pagedList<Row>>, rowKey: (row: Row) => string) {
  const queryClient = useQueryClient();
  const query = useInfiniteQuery(options);
  const fresh = useMemo(() => query.data?.pages.flat() ?? [], [query.data]);
  // While other filters load, the rows of the former ones stay on the screen.
  const steady = useSteadyRows(hashKey(options.queryKey), fresh, rowKey, query.isPlaceholderData);

  const accept = () => {
    const data = queryClient.getQueryData<InfiniteData<Row[]>>(options.queryKey);
    steady.accept(data?.pages.flat() ?? []);
  };
  return { query, rows: steady.rows, newCount: steady.newCount, accept, showNew: accept };
}

export type AdminListState<Row> = ReturnType<typeof useAdminList<Row>>;
