import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { BOOTSTRAP_FILE, CACHE_DIRECTORY, SEED_FILE } from '../paths.ts';
import { endOrphans } from '../process/orphans.ts';
import { probeFreePort } from '../process/ports.ts';
import { processIdentity } from '../process/process-identity.ts';
import { StartedParts } from '../process/started-parts.ts';
import { messageOf, UserError } from '../process/user-error.ts';
import { databaseUrl, withClient } from './connection.ts';
import { clusterHash, initialiseCluster } from './initialise-cluster.ts';
import { applyMigrations, locateError, type Migration } from './migrations.ts';
import { reachableDirectory } from './postgres-home.ts';
import { type PostgresUser, postgresUser } from './postgres-user.ts';
import { startDatabase } from './server.ts';

const KEPT_TEMPLATES = 8;
const UNFINISHED = /^unfinished-(\d+)-/;

export interface TemplateOptions {
  migrations: Migration[];
  /** With the demo data of supabase/seed.sql. */
  isSeeded: boolean;
  onProgress?: (line: string) => void;
}

/**
 * A template data directory: initialised, bootstrapped, migrated and optionally seeded. Building one takes seconds,
 * copying it a fraction, so each combination of these files is built once and cached.
 */
export async function databaseTemplate(options: TemplateOptions): Promise<string> {
  const user = postgresUser();
  const cache = reachableDirectory(CACHE_DIRECTORY, user);
  const template = join(cache, `template-${templateKey(options)}`);
  if (existsSync(template)) {
    markUsed(template);
    return template;
  }

  await removeAbandoned(cache);
  const unfinished = join(cache, `unfinished-${process.pid}-${randomUUID()}`);
  try {
    const data = join(unfinished, 'data');
    mkdirSync(unfinished);
    chmodSync(unfinished, 0o711);
    const parts = new StartedParts(unfinished, { isEphemeral: true });
    try {
      await build(data, { ...options, user, parts });
    } finally {
      await parts.stop();
    }
    moveUnlessThere(data, template);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  markUsed(template);
  dropOldTemplates(cache);
  return template;
}

/** Text of the demo data; empty if there is none. */
const readSeed = (): string => (existsSync(SEED_FILE) ? readFileSync(SEED_FILE, 'utf8') : '');

function templateKey({ migrations, isSeeded }: TemplateOptions): string {
  const hash = createHash('sha256').update(clusterHash());
  for (const migration of migrations) hash.update(`${migration.version}_${migration.name} ${migration.hash}\n`);
  hash.update(isSeeded ? `seeded ${readSeed()}` : 'empty');
  return `17-${hash.digest('hex').slice(0, 16)}`;
}

interface Build extends TemplateOptions {
  user: PostgresUser | undefined;
  parts: StartedParts;
}

async function build(directory: string, { user, parts, ...options }: Build): Promise<void> {
  mkdirSync(directory, { mode: 0o700 });
  if (user) chownSync(directory, user.uid, user.gid);
  options.onProgress?.('Creating the database …');
  await initialiseCluster(directory, user);

  const port = await probeFreePort();
  const onSpawn = parts.record('PostgreSQL');
  parts.addDatabase(await startDatabase({ directory, port, isDurable: false, onSpawn, onFailure: () => undefined }));
  await withClient(databaseUrl('supabase_admin', port), (client) => client.query(readFileSync(BOOTSTRAP_FILE, 'utf8')));
  await withClient(databaseUrl('postgres', port), async (client) => {
    options.onProgress?.(`Applying ${options.migrations.length} migrations …`);
    await applyMigrations(client, options.migrations);
    const seed = options.isSeeded ? readSeed() : '';
    if (!seed) return;
    options.onProgress?.('Filling in the demo data …');
    await client.query(seed).catch((error: unknown) => {
      throw new UserError(`supabase/seed.sql failed${locateError(seed, error)}: ${messageOf(error)}`);
    });
    // Fresh statistics, and no autovacuum in the middle of the first minutes.
    await client.query('vacuum analyze');
  });
}

/** A concurrent start may have built the same template; either will do. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/** Removes what a `kill -9` during the creation of a template left behind, including its server. */
async function removeAbandoned(cache: string): Promise<void> {
  for (const name of readdirSync(cache)) {
    const pid = UNFINISHED.exec(name)?.[1];
    if (pid === undefined || processIdentity(Number(pid)) !== undefined) continue;
    await endOrphans(join(cache, name));
    rmSync(join(cache, name), { recursive: true, force: true });
  }
}

const markUsed = (template: string): void => writeFileSync(`${template}.used`, new Date().toISOString());

/** While migrations are being written every edit creates a new template; only the latest are worth their space. */
function dropOldTemplates(cache: string): void {
  const templates = readdirSync(cache)
    .filter((file) => file.endsWith('.used'))
    .map((file) => ({
      path: join(cache, file.slice(0, -'.used'.length)),
      used: readFileSync(join(cache, file), 'utf8'),
    }))
    .sort((a, b) => b.used.localeCompare(a.used));
  for (const { path } of templates.slice(KEPT_TEMPLATES)) {
    rmSync(path, { recursive: true, force: true });
    rmSync(`${path}.used`, { force: true });
  }
}
