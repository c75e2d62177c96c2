import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../process/json-file.ts';
import { UserError } from '../process/user-error.ts';
import { clusterHash } from './initialise-cluster.ts';
import { type Migration, readMigrations } from './migrations.ts';
import { reachableDirectory } from './postgres-home.ts';
import { postgresUser } from './postgres-user.ts';
import { databaseTemplate } from './template.ts';

const POSTGRES_MAJOR = '17';

/** What the data directory was built from; stored next to it. `cluster` is the hash of what precedes the migrations. */
const madeFromSchema = z.object({
  cluster: z.string(),
  migrations: z.array(z.object({ version: z.string(), hash: z.string() })),
});

export interface DataDirectory {
  path: string;
  /** Migrations added since the directory was built, to be applied once the server runs. */
  pending: Migration[];
  /** Call after the pending ones are applied. */
  markMigrated(): void;
}

export interface DataDirectoryOptions {
  /** Where the stack keeps its state. */
  directory: string;
  isSeeded: boolean;
  onProgress: (line: string) => void;
  /** Those of supabase/migrations unless given. */
  migrations?: Migration[];
}

/**
 * Finds or creates the database's data directory. New migrations apply to the existing data. When an applied one was
 * edited (which is how we work until 1.0) the data cannot follow: it is set aside as `database.previous-1`, `-2`, … and
 * replaced by a fresh directory with the demo data, so that after a `git pull` the next start just works.
 */
export async function prepareDataDirectory(options: DataDirectoryOptions): Promise<DataDirectory> {
  const home = reachableDirectory(options.directory, postgresUser());
  const path = join(home, 'database');
  const madeFrom = join(home, 'database.json');
  const migrations = options.migrations ?? readMigrations();
  const cluster = clusterHash();
  const markMigrated = () =>
    writeJsonFile(madeFrom, { cluster, migrations: migrations.map(({ version, hash }) => ({ version, hash })) });

  if (existsSync(path)) {
    refuseOtherVersion(path);
    const made = readJsonFile(madeFrom, madeFromSchema);
    const seen = made?.migrations ?? [];
    if (made?.cluster === cluster && seen.every(({ hash }, index) => hash === migrations[index]?.hash)) {
      return { path, pending: migrations.slice(seen.length), markMigrated };
    }
  }

  const template = await databaseTemplate({ migrations, isSeeded: options.isSeeded, onProgress: options.onProgress });
  if (existsSync(path)) {
    options.onProgress(`Migrations were edited: starting from fresh data (the old data is in ${setAside(path)}).`);
  }
  copyDirectory(template, path);
  markMigrated();
  return { path, pending: [], markMigrated };
}

/** Deletes the data, for `--fresh`. */
export function removeDataDirectory(directory: string): void {
  const home = reachableDirectory(directory, postgresUser());
  const previous = existsSync(home) ? readdirSync(home).filter((name) => name.startsWith('database.previous')) : [];
  for (const name of ['database', 'database.json', ...previous]) {
    rmSync(join(home, name), { recursive: true, force: true });
  }
  // Elsewhere it contains nothing but the database.
  if (home !== directory) rmSync(home, { recursive: true, force: true });
}

function refuseOtherVersion(path: string): void {
  const versionFile = join(path, 'PG_VERSION');
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : 'unknown';
  if (version === POSTGRES_MAJOR) return;
  throw new UserError(
    `${path} was made by PostgreSQL ${version} and this is ${POSTGRES_MAJOR}; start over with: npm start -- --fresh`,
  );
}

/** Moves the data aside and returns the new name, because a start must never delete a developer's data. */
function setAside(path: string): string {
  let number = 1;
  while (existsSync(`${path}.previous-${number}`)) number += 1;
  renameSync(path, `${path}.previous-${number}`);
  return `${basename(path)}.previous-${number}`;
}

/** `cp -a` keeps the owner and shares blocks where the file system can; a half-made copy never gets the final name. */
function copyDirectory(from: string, to: string): void {
  const unfinished = `${to}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(join(to, '..'), { recursive: true });
  const { status, stderr } = spawnSync('cp', ['-a', from, unfinished], { encoding: 'utf8' });
  if (status !== 0) throw new UserError(`The database could not be copied to ${to}: ${stderr.trim()}`);
  renameSync(unfinished, to);
}
