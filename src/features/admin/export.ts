import { type CsvColumn, csvBlob, downloadBlob } from '@/lib/csv';
import { isoDay } from '@/lib/format';
import { recordExport } from './mutations';

/** `mailing_list_2026-01-05.csv` (C-55). */
export function exportFileName(name: string, extension = 'csv', now: Date = new Date()): string {
  return `${name}_${isoDay(now)}.${extension}`;
}

/** Downloads rows as CSV and records the export of personal data in the audit log (BEY-04). */
export async function downloadCsv<Row>(name: string, rows: readonly Row[], columns: CsvColumn<Row>[]): Promise<void> {
  await recordExport(name, rows.length);
  downloadBlob(csvBlob(rows, columns), exportFileName(name));
}
