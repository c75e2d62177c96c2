import { csvLines } from '@/lib/csv';
import { isoDay } from '@/lib/format';

type Row = Record<string, unknown>;

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

function cell(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
}

/** Files of the archive by name: everything as JSON, and a CSV per kind that has rows (BEY-24). */
export function ownDataFiles(data: Row): Record<string, string> {
  const files: Record<string, string> = { 'everything.json': JSON.stringify(data, null, 2) };
  for (const [kind, value] of Object.entries(data)) {
    const rows = Array.isArray(value) ? value.filter(isRow) : [];
    if (rows.length === 0) continue;
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const columns = names.map((header) => ({ header, value: (row: Row) => cell(row[header]) }));
    files[`${kind}.csv`] = `\uFEFF${[...csvLines(rows, columns)].join('')}`;
  }
  return files;
}

/** `questboard_my_data_2026-01-05.zip` */
export const ownDataFileName = (now: Date = new Date()): string => `questboard_my_data_${isoDay(now)}.zip`;
