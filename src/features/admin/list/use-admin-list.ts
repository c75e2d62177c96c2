import { hashKey, type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { pagedList } from './paged-list';
import { steadyRows } from './steady-rows';

type Shown<Row> = { key: string; fresh: readonly Row[]; rows: readonly Row[]; newCount: number };

/**
 * A list whose background refresh moves nothing (steadyRows). `showNew` takes what waits; call `accept` after an action of
 * one's own, whose effect is expected: it takes the list as it was just read.
 */
export function useAdminList<Row>(options: ReturnType<typeof pagedList<Row>>, rowKey: (row: Row) => string) {
  const queryClient = useQueryClient();
  const query = useInfiniteQuery(options);
  const fresh = useMemo(() => query.data?.pages.flat() ?? [], [query.data]);
  const key = hashKey(options.queryKey);
  const [shown, setShown] = useState<Shown<Row>>({ key, fresh, rows: fresh, newCount: 0 });

  // While other filters load, the rows of the former ones stay on the screen.
  if (!query.isPlaceholderData && (shown.key !== key || shown.fresh !== fresh)) {
    setShown(
      shown.key === key
        ? { key, fresh, ...steadyRows(shown.rows, fresh, rowKey) }
        : { key, fresh, rows: fresh, newCount: 0 },
    );
  }

  const accept = () => {
    const data = queryClient.getQueryData<InfiniteData<Row[]>>(options.queryKey);
    const rows = data?.pages.flat() ?? [];
    setShown({ key, fresh: rows, rows, newCount: 0 });
  };

  return { query, rows: shown.rows, newCount: shown.newCount, accept, showNew: accept };
}

export type AdminListState<Row> = ReturnType<typeof useAdminList<Row>>;
