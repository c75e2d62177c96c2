import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeStateDirectory, removeStateDirectory } from '../testing/running-stack.ts';
import { prepareDataDirectory } from './data-directory.ts';
import type { Migration } from './migrations.ts';

let directory: string;

beforeEach(() => {
  directory = makeStateDirectory();
});

afterEach(() => removeStateDirectory(directory));

function migration(version: string, sql: string): Migration {
  return { version, name: 'test', sql, hash: createHash('sha256').update(sql).digest('hex') };
}

const first = migration('1', 'create table public.one ()');
const second = migration('2', 'create table public.two ()');

async function prepare(...migrations: Migration[]) {
  const lines: string[] = [];
  const onProgress = (line: string) => lines.push(line);
  return { ...(await prepareDataDirectory({ directory, isSeeded: false, onProgress, migrations })), lines };
}

/** A file that only this data directory contains. */
const mark = (path: string) => writeFileSync(join(path, 'mark'), '');

it('creates the directory once and finds it again', async () => {
  const made = await prepare(first);
  mark(made.path);
  const found = await prepare(first);
  expect(found).toMatchObject({ path: made.path, pending: [], lines: [] });
  expect(existsSync(join(found.path, 'mark'))).toBe(true);
});

it('keeps the data when a migration is added, and reports the new one as pending until it is applied', async () => {
  mark((await prepare(first)).path);
  const added = await prepare(first, second);
  expect(added.pending).toEqual([second]);
  expect(existsSync(join(added.path, 'mark'))).toBe(true);
  added.markMigrated();
  expect((await prepare(first, second)).pending).toEqual([]);
});

it('sets the data aside and says so when an applied migration was edited', async () => {
  mark((await prepare(first)).path);
  const remade = await prepare(migration('1', 'create table public.renamed ()'));
  expect(remade.lines.join('\n')).toContain('Migrations were edited');
  expect(existsSync(join(remade.path, 'mark'))).toBe(false);
  expect(remade.lines.join('\n')).toContain('database.previous-1');
  expect(existsSync(join(directory, 'database.previous-1/mark'))).toBe(true);
});

it('keeps earlier set-aside data when migrations are edited again', async () => {
  mark((await prepare(first)).path);
  await prepare(migration('1', 'create table public.renamed ()'));
  await prepare(migration('1', 'create table public.renamed_again ()'));
  expect(existsSync(join(directory, 'database.previous-1/mark'))).toBe(true);
  expect(existsSync(join(directory, 'database.previous-2'))).toBe(true);
});

it('names a migration that fails and keeps the data', async () => {
  const made = await prepare(first);
  mark(made.path);
  await expect(prepare(migration('1', 'select 1;\nselect nonsense'))).rejects.toThrow(
    'Migration 1_test.sql failed at line 2: column "nonsense" does not exist',
  );
  expect(existsSync(join(made.path, 'mark'))).toBe(true);
});
