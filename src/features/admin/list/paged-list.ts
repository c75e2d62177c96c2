import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { poll } from '@/lib/query-client';
import { adminKey } from '../keys';

/** Rows of a page; every admin table begins with the first 20 (ADMIN-05, ADMIN-07). */
export const pageSize = 20;

/** Seconds between two background reads of what is on the screen (ADMIN-01). */
export const refreshSeconds = 30;

/** What every list can be narrowed to; empty text and null mean everything. */
export type ListFilters = { search: string; status: string | null; sort: 'newest' | 'oldest' };

/** The filters as arguments of an `admin_list_…` procedure. */
export function listArguments({ search, status, sort }: ListFilters, cursor: string | null) {
  return {
    p_search: search.trim().slice(0, 100) || undefined,
    p_status: status ?? undefined,
    p_sort: sort,
    p_limit: pageSize,
    p_cursor: cursor ?? undefined,
  };
}

type FetchPage<Row> = (cursor: string | null, signal: AbortSignal) => Promise<Row[]>;

/** A list read page by page from the server, read again every 30 s. `cursorOf` names where the next page begins. */
export function pagedList<Row>(
  name: string,
  filters: unknown,
  fetchPage: FetchPage<Row>,
  cursorOf: (row: Row) => string,
) {
  return infiniteQueryOptions({
    queryKey: adminKey(name, 'list', filters),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    getNextPageParam: (page): string | null => {
      const last = page.at(-1);
      return last && page.length === pageSize ? cursorOf(last) : null;
    },
    placeholderData: keepPreviousData,
    ...poll(refreshSeconds),
  });
}
