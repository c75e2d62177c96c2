import {
  hashKey,
  type InfiniteData,
  infiniteQueryOptions,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { cursorPages, keepPreviousRows } from '@/lib/paging';
import { pollPages } from '@/lib/query-client';
import { useUrlChoice, useUrlReset, useUrlText } from '@/lib/url-state';
import { adminKeys } from '../keys';

/** Page size; every admin table starts with the first 20 rows (ADMIN-05, ADMIN-07). */
export const pageSize = 20;

/** Poll interval of admin lists (ADMIN-01). */
export const refreshSeconds = 30;

/** Filters that every list has; empty text and null mean everything. */
export type ListFilters = { search: string; status: string | null; sort: 'newest' | 'oldest' };

/** A page as arguments of an `admin_list_…` procedure. */
export const pageArguments = (cursor: string | null) => ({ p_limit: pageSize, p_cursor: cursor ?? undefined });

/** A search text as an argument; empty means everything. */
export const searchArgument = (search: string) => search.trim().slice(0, 100) || undefined;

/** All filters and a page as arguments, for the procedures that take them all. */
export const listArguments = ({ search, status, sort }: ListFilters, cursor: string | null) => ({
  p_search: searchArgument(search),
  p_status: status ?? undefined,
  p_sort: sort,
  ...pageArguments(cursor),
});

type FetchPage<Row> = (cursor: string | null, signal: AbortSignal) => Promise<(Row & { cursor: string })[]>;

/** A paged list, polled every 30 s. */
export function pagedList<Row>(name: string, filters: unknown, fetchPage: FetchPage<Row>) {
  return infiniteQueryOptions({
    queryKey: adminKeys.list(name, filters),
    ...cursorPages(pageSize, fetchPage),
    placeholderData: keepPreviousRows,
    ...pollPages(refreshSeconds),
  });
}

/**
 * A list whose background refresh moves no rows. `applyUpdates` shows the list as just fetched: on request, and after the
 * user's own action, whose effect is expected.
 */
export function useAdminList<Row>(options: ReturnType<typeof pagedList<Row>>, rowKey: (row: Row) => string) {
  const queryClient = useQueryClient();
  const query = useInfiniteQuery(options);
  const fresh = useMemo((): readonly Row[] => query.data?.pages.flat() ?? [], [query.data]);
  // While other filters load, the previous rows stay on the screen.
  const frozen = useFrozenRows(hashKey(options.queryKey), fresh, rowKey, query.isPlaceholderData);

  const applyUpdates = () => {
    const data = queryClient.getQueryData<InfiniteData<Row[]>>(options.queryKey);
    frozen.applyUpdates(data?.pages.flat() ?? []);
  };
  return { query, rows: frozen.rows, newCount: frozen.newCount, applyUpdates };
}

export type AdminListState<Row> = ReturnType<typeof useAdminList<Row>>;

const sorts = ['newest', 'oldest'] as const;

/** Search, status and sort of a list, kept in the URL. `statuses` without 'all', which is added as the first. */
export function useListFilters(statuses: readonly string[] = [], defaultStatus = 'all') {
  const [search, setSearch] = useUrlText('q');
  const [status, setStatus] = useUrlChoice('status', [
    defaultStatus,
    ...['all', ...statuses].filter((choice) => choice !== defaultStatus),
  ]);
  const [sort, setSort] = useUrlChoice('sort', sorts);
  const reset = useUrlReset(['q', 'status', 'sort', 'type', 'subject', 'delivery']);
  const filters: ListFilters = { search: useDeferredValue(search), status: status === 'all' ? null : status, sort };
  return { filters, search, setSearch, status, setStatus, sort, setSort, reset };
}

export type ListFilterState = ReturnType<typeof useListFilters>;

type Shown<Row> = { key: string; fresh: readonly Row[]; rows: readonly Row[]; newCount: number };

/**
 * Keeps the rows of a polled list in place across refreshes; `newCount`: rows not shown yet. A different `key` (other
 * filters, another period) starts over, and while `isWaiting` for it the previous rows stay. `applyUpdates` shows the
 * list as the server last sent it.
 */
export function useFrozenRows<Row>(
  key: string,
  fresh: readonly Row[],
  rowKey: (row: Row) => string,
  isWaiting: boolean,
) {
  const [shown, setShown] = useState<Shown<Row>>({ key, fresh, rows: fresh, newCount: 0 });
  if (!isWaiting && (shown.key !== key || shown.fresh !== fresh)) {
    setShown(
      shown.key === key
        ? { key, fresh, ...frozenRows(shown.rows, fresh, rowKey) }
        : { key, fresh, rows: fresh, newCount: 0 },
    );
  }
  const applyUpdates = (rows: readonly Row[]) => setShown({ key, fresh: rows, rows, newCount: 0 });
  return { rows: shown.rows, newCount: shown.newCount, applyUpdates };
}

/**
 * The rows of a list after a background refresh: the same rows in the same places with their new values, then any
 * further page. New rows above or between them are held back; removed rows stay, because somebody may be reading them.
 */
export function frozenRows<Row>(
  shown: readonly Row[],
  fresh: readonly Row[],
  rowKey: (row: Row) => string,
): { rows: readonly Row[]; newCount: number } {
  if (shown.length === 0) return { rows: fresh, newCount: 0 };
  const freshByKey = new Map(fresh.map((row) => [rowKey(row), row]));
  const shownKeys = new Set(shown.map(rowKey));
  const lastKnown = fresh.findLastIndex((row) => shownKeys.has(rowKey(row)));
  // None of the shown rows is left, so all fetched rows are new.
  const below = lastKnown < 0 ? [] : fresh.slice(lastKnown + 1);
  const rows = [...shown.map((row) => freshByKey.get(rowKey(row)) ?? row), ...below];
  const above = fresh.slice(0, lastKnown < 0 ? fresh.length : lastKnown);
  return { rows, newCount: above.filter((row) => !shownKeys.has(rowKey(row))).length };
}
