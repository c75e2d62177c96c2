import { type CsvColumn, csvBlob, downloadBlob } from '@/lib/csv';
import { isoDay } from '@/lib/format';
import { recordExport } from './mutations';

/** Maximum rows per response of the API. */
export const exportPageSize = 1000;

/**
 * Collects all pages; `fetchPage` gets the last row so far. Keyset pagination by id, which is unique and indexed. Where
 * the file has another order, the rows are sorted at the end.
 */
export async function collectPages<Row>(
  fetchPage: (last: Row | null) => Promise<Row[]>,
  onRows: (count: number) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await fetchPage(rows.at(-1) ?? null);
    rows.push(...page);
    onRows(rows.length);
    if (page.length < exportPageSize) return rows;
  }
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

/** `mailing_list_2026-01-05.csv` (C-55). */
export function exportFileName(name: string, extension = 'csv', now: Date = new Date()): string {
  return `${name}_${isoDay(now)}.${extension}`;
}

/** Downloads rows as CSV and records the export of personal data in the audit log (BEY-04). */
export async function downloadCsv<Row>(name: string, rows: readonly Row[], columns: CsvColumn<Row>[]): Promise<void> {
  await recordExport(name, rows.length);
  downloadBlob(csvBlob(rows, columns), exportFileName(name));
}
