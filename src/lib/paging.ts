/** Maximum rows per response of the API (`max_rows`); more are silently left out. */
export const maxPageSize = 1000;

/** A row of a paged list; `cursor` continues after this row. */
type PagedRow = { cursor?: string };

/** Cursor of the next page; null after the last page, which is shorter than `pageSize`. */
function nextCursor(page: readonly PagedRow[], pageSize: number): string | null {
  return page.length < pageSize ? null : (page.at(-1)?.cursor ?? null);
}

/** The paging of an infinite query over a list with cursors, for the options of the query. */
export const cursorPages = <Row extends PagedRow>(
  pageSize: number,
  fetchPage: (cursor: string | null, signal: AbortSignal) => Promise<Row[]>,
) => ({
  initialPageParam: null as string | null,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) => fetchPage(pageParam, signal),
  getNextPageParam: (page: readonly Row[]) => nextCursor(page, pageSize),
});

/**
 * For `placeholderData`: keeps showing the previous filters' rows while new ones load. An empty result is not kept, because it would be
 * shown as the answer to the new filters.
 */
export function keepPreviousRows<Pages extends { pages: readonly (readonly unknown[])[] }>(
  previous: Pages | undefined,
): Pages | undefined {
  return previous?.pages.some((page) => page.length > 0) ? previous : undefined;
}

async function readPages<Row, Position>(
  fetchPage: (after: Position | null) => Promise<Row[]>,
  next: (page: Row[]) => Position | null,
  onRows?: (count: number) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: Position | null = null;
  do {
    const page: Row[] = await fetchPage(after);
    rows.push(...page);
    onRows?.(rows.length);
    after = next(page);
  } while (after !== null);
  return rows;
}

/** Fetches all pages of a procedure's list; `onRows` is called with the number of rows so far. */
export function fetchAllByCursor<Row extends PagedRow>(
  fetchPage: (cursor: string | null) => Promise<Row[]>,
  pageSize: number,
  onRows?: (count: number) => void,
): Promise<Row[]> {
  return readPages(fetchPage, (page) => nextCursor(page, pageSize), onRows);
}

/**
 * Fetches all pages of a table, which has no cursors: keyset pagination by id, which is unique and indexed. `fetchPage` gets the last row
 * so far. Where another order is wanted, the rows are sorted at the end.
 */
export function fetchAllById<Row>(
  fetchPage: (last: Row | null) => Promise<Row[]>,
  onRows?: (count: number) => void,
): Promise<Row[]> {
  return readPages(fetchPage, (page) => (page.length < maxPageSize ? null : (page.at(-1) ?? null)), onRows);
}

/** Sorts rows by a timestamp, then by id. */
export function sortByTime<Row extends { id: string }>(
  rows: Row[],
  timeOf: (row: Row) => string,
  direction: 'oldest' | 'newest' = 'oldest',
): Row[] {
  const sign = direction === 'oldest' ? 1 : -1;
  return rows.sort((one, other) => {
    const apart = Date.parse(timeOf(one)) - Date.parse(timeOf(other));
    return sign * (apart || (one.id < other.id ? -1 : 1));
  });
}
