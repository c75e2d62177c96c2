import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { SCHEMAS_DIRECTORY } from '../paths.ts';
import { messageOf, UserError } from '../process/user-error.ts';
import { locateError } from './migrations.ts';

export interface SchemaFile {
  /** `30_quests.sql` */
  file: string;
  sql: string;
}

/** The schema as people edit it, in the order in which the files apply. */
export function readSchemaFiles(): SchemaFile[] {
  return readdirSync(SCHEMAS_DIRECTORY)
    .filter((file) => /^\d\d_[a-z_]+\.sql$/.test(file))
    .sort()
    .map((file) => ({ file, sql: readFileSync(join(SCHEMAS_DIRECTORY, file), 'utf8') }));
}

/** Applies the schema to a database that has only what the platform brings. */
export async function applySchemaFiles(client: pg.Client, files: SchemaFile[]): Promise<void> {
  for (const { file, sql } of files) {
    await client.query(sql).catch((error: unknown) => {
      throw new UserError(`supabase/schemas/${file} failed${locateError(sql, error)}: ${messageOf(error)}`);
    });
  }
}

const RULE = '='.repeat(126);

/** The schema files in order, as the one migration that release 1.0 starts from. */
export function baselineSql(files: SchemaFile[]): string {
  const header =
    '-- Generated from supabase/schemas by `npm run db:baseline`; edit those files, never this one (see CONTRIBUTING.md).\n';
  return [header, ...files.map(({ file, sql }) => `-- ${RULE}\n-- ${file}\n-- ${RULE}\n\n${sql}`)].join('\n');
}
