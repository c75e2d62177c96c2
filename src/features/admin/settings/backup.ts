import * as z from 'zod/mini';
import type { Json } from '@/types/database';
import { readBackupPage, startBackup } from './mutations';

const pageSchema = z.object({ rows: z.array(z.json()), next: z.nullable(z.string()) });

export type BackupProgress = { table: string; tableNumber: number; tables: number; rows: number };

/**
 * A JSON copy of all tables, table by table: { "taken_at": …, "tables": { "campaigns": [ … ] } }. Kept as pieces of text, so
 * that a large database needs no second copy in memory. Files in the buckets are not in it.
 */
export async function makeBackup(
  onProgress: (progress: BackupProgress) => void,
): Promise<{ file: Blob; rows: number }> {
  const tables = await startBackup();
  const pieces: string[] = [`{"taken_at":${JSON.stringify(new Date().toISOString())},"tables":{`];
  let rows = 0;
  for (const [index, { table_name: table }] of tables.entries()) {
    pieces.push(`${index > 0 ? ',' : ''}\n${JSON.stringify(table)}:[`);
    let isFirst = true;
    let after: string | null = null;
    do {
      onProgress({ table, tableNumber: index + 1, tables: tables.length, rows });
      const page: { rows: Json[]; next: string | null } = pageSchema.parse(await readBackupPage(table, after));
      for (const row of page.rows) {
        pieces.push(`${isFirst ? '' : ','}\n${JSON.stringify(row)}`);
        isFirst = false;
      }
      rows += page.rows.length;
      after = page.next;
    } while (after !== null);
    pieces.push(']');
  }
  pieces.push('}}\n');
  return { file: new Blob(pieces, { type: 'application/json' }), rows };
}
