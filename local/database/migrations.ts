import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import { CHECKSUMS_FILE, MIGRATIONS_DIRECTORY } from '../paths.ts';
import { messageOf, UserError } from '../process/user-error.ts';

export interface Migration {
  /** The digits that the file name starts with; the official CLI's key. */
  version: string;
  name: string;
  sql: string;
  /** SHA-256 of the text. */
  hash: string;
}

/** The migrations in the order in which they apply. */
export function readMigrations(): Migration[] {
  if (!existsSync(MIGRATIONS_DIRECTORY)) return [];
  return readdirSync(MIGRATIONS_DIRECTORY)
    .sort()
    .flatMap((file) => {
      const [, version, name] = /^(\d+)_(.+)\.sql$/.exec(file) ?? [];
      if (!version || !name) return [];
      const sql = readFileSync(join(MIGRATIONS_DIRECTORY, file), 'utf8');
      return [{ version, name, sql, hash: createHash('sha256').update(sql).digest('hex') }];
    });
}

const releasedSchema = z.record(z.string(), z.string());

/** File names of the migrations that were released, each with the hash of its text. */
export function readReleased(): Record<string, string> {
  return releasedSchema.parse(JSON.parse(readFileSync(CHECKSUMS_FILE, 'utf8')));
}

export const fileNameOf = ({ version, name }: Pick<Migration, 'version' | 'name'>): string => `${version}_${name}.sql`;

/** Changes to released migrations, which other databases have already applied. */
export function releaseProblems(migrations: Migration[], released: Record<string, string>): string[] {
  const present = new Map(migrations.map((migration) => [fileNameOf(migration), migration.hash]));
  const last = Object.keys(released).sort().at(-1) ?? '';
  return [
    ...Object.entries(released).flatMap(([file, hash]) => {
      if (!present.has(file)) return [`${file} is released and missing`];
      return present.get(file) === hash ? [] : [`${file} is released and was edited`];
    }),
    ...[...present.keys()]
      .filter((file) => !(file in released) && file < last)
      .map((file) => `${file} comes before ${last}, which is released`),
  ];
}

/** The official CLI's own history table, so that `supabase db push` has nothing left to apply. */
const HISTORY = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text not null primary key, statements text[], name text
  );`;

/** Applies migrations as role postgres, each in its own transaction together with its row in the history. */
export async function applyMigrations(client: pg.Client, migrations: Migration[]): Promise<void> {
  await client.query(HISTORY);
  for (const { version, name, sql } of migrations) {
    try {
      await client.query('begin');
      await client.query(sql);
      await client.query(
        'insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)',
        [version, name, [sql]],
      );
      await client.query('commit');
    } catch (error) {
      throw new UserError(
        `Migration ${fileNameOf({ version, name })} failed${locateError(sql, error)}: ${messageOf(error)}`,
      );
    }
    // A migration may change session settings (search_path, role), so the next one starts with a reset.
    await client.query('reset all; reset role');
  }
}

/** " at line 12" when the server said where. */
export function locateError(sql: string, error: unknown): string {
  const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN;
  return Number.isFinite(position) ? ` at line ${sql.slice(0, position).split('\n').length}` : '';
}
