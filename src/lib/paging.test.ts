import { cursorPages, fetchAllByCursor, fetchAllById, keepPreviousRows, sortByTime } from './paging';

const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, cursor: `after-${from + index}` }));

const nextCursor = (page: { cursor?: string }[], pageSize: number) =>
  cursorPages(pageSize, async () => page).getNextPageParam(page);

test('a full page continues from its last row, a short or empty one is the last', () => {
  expect(nextCursor(rows(1, 3), 3)).toBe('after-3');
  expect(nextCursor(rows(1, 2), 3)).toBeNull();
  expect(nextCursor([], 3)).toBeNull();
});

test('without a cursor there is no further page', () => {
  expect(nextCursor([{}, {}], 2)).toBeNull();
});

test('reads all pages, and reports the count', async () => {
  const asked: (string | null)[] = [];
  const counts: number[] = [];
  const pages = [rows(1, 2), rows(3, 2), rows(5, 0)];
  const all = await fetchAllByCursor(
    async (cursor) => {
      asked.push(cursor);
      return pages[asked.length - 1] ?? [];
    },
    2,
    (count) => counts.push(count),
  );
  expect(all.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(asked).toEqual([null, 'after-2', 'after-4']);
  expect(counts).toEqual([2, 4, 4]);
});

test('the count callback is optional', async () => {
  expect(await fetchAllByCursor(async () => rows(1, 1), 2)).toHaveLength(1);
});

test('former rows stay while others load; that there were none is no answer for those', () => {
  const pages = (...all: object[][]) => ({ pages: all, pageParams: all.map(() => null) });
  expect(keepPreviousRows(pages(rows(1, 2), []))).toEqual(pages(rows(1, 2), []));
  expect(keepPreviousRows(pages([]))).toBeUndefined();
  expect(keepPreviousRows(undefined)).toBeUndefined();
});

test('reads page after page from the last row, until a page is not full', async () => {
  const after: (number | null)[] = [];
  const counts: number[] = [];
  const pages = [rows(0, 1000), rows(1000, 1000), []];
  const all = await fetchAllById<{ id: number }>(
    async (last) => {
      after.push(last?.id ?? null);
      return pages[after.length - 1] ?? [];
    },
    (count) => counts.push(count),
  );
  expect(all).toEqual(rows(0, 2000));
  expect(after).toEqual([null, 999, 1999]);
  expect(counts).toEqual([1000, 2000, 2000]);
});

test('sorts by time, and by id within the same time', () => {
  const at = (id: string, day: number) => ({ id, at: `2026-01-0${day}T00:00:00Z` });
  const unsorted = () => [at('c', 2), at('b', 1), at('a', 2)];
  const idsOf = (direction?: 'newest') => sortByTime(unsorted(), (row) => row.at, direction).map(({ id }) => id);
  expect(idsOf()).toEqual(['b', 'a', 'c']);
  expect(idsOf('newest')).toEqual(['c', 'a', 'b']);
});
