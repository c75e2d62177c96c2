/** A row of a paged list; `cursor` continues after this row. */
type PagedRow = { cursor?: string };

/** Cursor of the next page; null after the last page, which is shorter than `pageSize`. */
export function nextCursor(page: readonly PagedRow[], pageSize: number): string | null {
  return page.length < pageSize ? null : (page.at(-1)?.cursor ?? null);
}

/**
 * For `placeholderData`: while other filters load, the rows of the former ones stay. That those had none is no answer, and
 * would be shown as one.
 */
export function keepPreviousRows<Pages extends { pages: readonly (readonly unknown[])[] }>(
  previous: Pages | undefined,
): Pages | undefined {
  return previous?.pages.some((page) => page.length > 0) ? previous : undefined;
}

/** Fetches all pages of such a list; `onRows` is called with the number of rows so far. */
export async function fetchAll<Row extends PagedRow>(
  fetchPage: (cursor: string | null) => Promise<Row[]>,
  pageSize: number,
  onRows?: (count: number) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Row[] = await fetchPage(cursor);
    rows.push(...page);
    onRows?.(rows.length);
    cursor = nextCursor(page, pageSize);
  } while (cursor !== null);
  return rows;
}
