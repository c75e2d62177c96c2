import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withClient } from '../database/connection.ts';
import { codeOf, messageOf, UserError } from '../process/user-error.ts';
import { MANIFEST_FILE, type Manifest, type StoredFile } from './manifest.ts';
import { askStorage, type Project, SCHEMAS, verifyProject } from './project.ts';

/**
 * Copies a project into an empty directory: all tables and sequences of the product in one snapshot, and the files of
 * the buckets. The manifest is written last, so that an interrupted backup is invalid.
 */
export async function backUp(
  project: Project,
  directory: string,
  onProgress: (line: string) => void = () => undefined,
): Promise<Manifest> {
  if (existsSync(directory) && readdirSync(directory).length > 0) refuseUsed(directory);
  const content = await withClient(project.databaseUrl, async (client) => {
    await verifyProject(project, client);
    // Not before: after a wrong password or key the directory must still be empty.
    try {
      makePrivateDirectory(directory);
      for (const folder of ['tables', 'files']) mkdirSync(join(directory, folder), { mode: 0o700 });
    } catch (error) {
      // Another backup has just begun there.
      if (codeOf(error) === 'EEXIST') refuseUsed(directory);
      throw new UserError(`${directory} cannot be created: ${messageOf(error)}`);
    }
    return copySnapshot(client, directory, onProgress);
  });
  const files = await copyFiles(project, content.files, directory);
  onProgress(`${files.length} files`);
  const manifest: Manifest = { format: 1, ...content, files };
  writeFileSync(join(directory, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  return manifest;
}

function refuseUsed(directory: string): never {
  throw new UserError(
    `${directory} is not empty. Name a new directory; what has no ${MANIFEST_FILE} is half a backup and can be deleted.`,
  );
}

/** With the directories above it. Node's own `recursive` never returns where one is refused as if those above it were missing, as in /proc. */
function makePrivateDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makePrivateDirectory(dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
}

async function copySnapshot(client: pg.Client, directory: string, onProgress: (line: string) => void) {
  await client.query('begin isolation level repeatable read read only');
  await client.query('set local statement_timeout = 0');
  // Days and time zones of other styles would be read as others: 5/11 as the 11th of May, IST as Israel's.
  await client.query("set local datestyle = 'ISO'");
  const takenAt = await client.query<{ now: Date }>('select now()');
  const tables: Manifest['tables'] = [];
  for (const { name, columns } of await tablesOf(client)) {
    tables.push(await copyTable(client, { name, columns }, directory));
    onProgress(`${name}: ${tables.at(-1)?.rows} rows`);
  }
  const content = {
    takenAt: (takenAt.rows[0]?.now ?? new Date()).toISOString(),
    migrations: await migrationsOf(client),
    tables,
    sequences: await sequencesOf(client),
    files: await filesOf(client),
  };
  await client.query('commit');
  return content;
}

/** Tables of the product in a fixed order, with the columns that can be written. */
export async function tablesOf(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       (select array_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind = 'r' order by 1`,
    [SCHEMAS],
  );
  return rows;
}

export async function migrationsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by version',
  );
  return rows.map(({ version }) => version);
}

async function sequencesOf(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname = any ($1) order by 1`,
    [SCHEMAS],
  );
  const sequences: Manifest['sequences'] = [];
  for (const { name } of rows) {
    // Sequences are not part of a snapshot: read after the tables, they are never behind the rows.
    const state = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${name}`,
    );
    const [{ last_value: value, is_called: isCalled } = { last_value: '1', is_called: false }] = state.rows;
    sequences.push({ name, value, isCalled });
  }
  return sequences;
}

type FileRow = Omit<StoredFile, 'sha256'>;

async function filesOf(client: pg.Client): Promise<FileRow[]> {
  const { rows } = await client.query<FileRow>(
    `select bucket_id as bucket, name, id::text, version, owner_id, to_json(created_at) #>> '{}' as created_at,
       coalesce(metadata ->> 'mimetype', 'application/octet-stream') as mime,
       metadata ->> 'cacheControl' as cache_control, user_metadata
     from storage.objects order by bucket_id, name`,
  );
  return rows;
}

async function copyTable(
  client: pg.Client,
  { name, columns }: { name: string; columns: string[] },
  directory: string,
): Promise<Manifest['tables'][number]> {
  const file = join('tables', `${name.replaceAll('"', '')}.copy.gz`);
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform: (chunk, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const rows = client.query(copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout`));
  await pipeline(rows, createGzip(), hashed, createWriteStream(join(directory, file), { mode: 0o600 }));
  return { name, columns, rows: rows.rowCount, file, sha256: hash.digest('hex') };
}

/**
 * Copies files without those that were deleted since the snapshot. A file that was replaced meanwhile is copied again, with its new row: under
 * the old one the new bytes would be restored as verified.
 */
async function copyFiles(project: Project, files: FileRow[], directory: string): Promise<StoredFile[]> {
  const copies = new Map<string, StoredFile>();
  let wanted = files;
  while (wanted.length > 0) {
    for (const file of wanted) {
      const copy = await copyFile(project, file, directory);
      if (copy) copies.set(addressOf(file), copy);
      else copies.delete(addressOf(file));
    }
    const present = await withClient(project.databaseUrl, filesOf);
    wanted = present.filter((row) => {
      const copy = copies.get(addressOf(row));
      return copy && (copy.id !== row.id || copy.version !== row.version);
    });
    const addresses = new Set(present.map(addressOf));
    for (const address of copies.keys()) if (!addresses.has(address)) copies.delete(address);
  }
  const kept = new Set([...copies.values()].map(({ sha256 }) => sha256));
  // Whoever deleted a file meanwhile must not find it in the backup.
  for (const file of readdirSync(join(directory, 'files'))) if (!kept.has(file)) rmSync(join(directory, 'files', file));
  return [...copies.values()];
}

const addressOf = ({ bucket, name }: FileRow): string => `${bucket}/${name}`;

async function copyFile(project: Project, file: FileRow, directory: string): Promise<StoredFile | null> {
  const object = `${file.bucket}/${file.name}`;
  const bytes = await askStorage(project, 'GET', object).catch(async (error: unknown) => {
    const isThere = await withClient(project.databaseUrl, (client) =>
      client.query('select 1 from storage.objects where id = $1', [file.id]),
    );
    if (isThere.rowCount === 0) return null;
    throw error;
  });
  if (!bytes) return null;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(join(directory, 'files', sha256), bytes, { mode: 0o600 });
  return { ...file, sha256 };
}
