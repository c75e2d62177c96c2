import { useMutation } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { csvLines } from '@/lib/csv';
import { isoDay } from '@/lib/format';
import { supabase, unwrap } from '@/lib/supabase';

const answer = z.record(z.string(), z.unknown());

/** The caller's own data as a ZIP archive (BEY-24). Errors: see get_own_data. */
export function useOwnDataArchive() {
  return useMutation({
    meta: { calls: ['get_own_data'] },
    mutationFn: async (): Promise<Blob> => {
      const data = answer.parse(await unwrap(supabase().rpc('get_own_data')));
      // Rarely needed, so lazy-loaded.
      const { strToU8, zipSync } = await import('fflate');
      const files = Object.entries(ownDataFiles(data));
      return new Blob([zipSync(Object.fromEntries(files.map(([name, text]) => [name, strToU8(text)])))], {
        type: 'application/zip',
      });
    },
  });
}

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
