import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { z } from 'zod';
import { withClient } from '../database/connection.ts';
import { messageOf, UserError } from '../process/user-error.ts';
import { migrationsOf, tablesOf } from './backup.ts';
import { type Manifest, readManifest, type StoredFile, verifyBackup } from './manifest.ts';
import { askStorage, type Project, verifyProject } from './project.ts';

const problems = z.array(z.object({ problem: z.string(), subject_type: z.string(), subject_id: z.string() }));
export type LedgerProblem = z.infer<typeof problems>[number];

/**
 * Restores a backup into an empty project with the same migrations. The files come first and all rows in one transaction after them, so
 * that a restore that failed on the way can be run again.
 * @returns the findings of reconcile_ledger afterwards; empty when the books balance.
 */
export async function restore(
  project: Project,
  directory: string,
  onProgress: (line: string) => void = () => undefined,
): Promise<LedgerProblem[]> {
  const manifest = readManifest(directory);
  await verifyBackup(directory, manifest);
  return withClient(project.databaseUrl, async (client) => {
    await refuseOthers(client);
    await refuseUnfit(client, manifest);
    await verifyProject(project, client);
    await uploadFiles(project, manifest, directory);
    onProgress(`${manifest.files.length} files`);
    // A connection of its own: one that idles while the files are sent may be closed.
    await withClient(project.databaseUrl, (rows) => restoreRows(rows, manifest, directory));
    onProgress(`${manifest.tables.length} tables`);
    return reconcile(project);
  });
}

/** A second restore would delete the rows of the first, and all that people have done since. The lock lasts as long as the connection. */
async function refuseOthers(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select pg_try_advisory_lock(hashtext('restore')) as is_free");
  if (!rows[0]?.is_free) throw new UserError('Another restore into this project is running.');
}

async function refuseUnfit(client: pg.Client, { migrations, tables, files }: Manifest): Promise<void> {
  const applied = await migrationsOf(client).catch(() => []);
  if (!isDeepStrictEqual(applied, migrations)) {
    throw new UserError(
      `The backup was made with the migrations ${migrations.join(', ')} and this database has ${applied.join(', ') || 'none'}. ` +
        'Check out the version that made the backup, run npx supabase db push --remote, restore, and upgrade afterwards.',
    );
  }
  const present = await tablesOf(client);
  if (
    !isDeepStrictEqual(
      present,
      tables.map(({ name, columns }) => ({ name, columns })),
    )
  ) {
    throw new UserError('The tables of this database are not those of the backup. Run npm run doctor.');
  }
  // Files of the backup itself are from an attempt that failed.
  const people = await client.query(
    `select 1 from public.user_profiles
     union all
     select 1 from storage.objects o where o.bucket_id || '/' || o.name <> all ($1) limit 1`,
    [files.map(({ bucket, name }) => `${bucket}/${name}`)],
  );
  if (people.rowCount !== 0) {
    throw new UserError(
      'There are people or files in this project already. Restore into a new project (docs/restore.md).',
    );
  }
}

async function restoreRows(
  client: pg.Client,
  { tables, sequences, files }: Manifest,
  directory: string,
): Promise<void> {
  // Also for the last statement, after the transaction.
  await client.query('set statement_timeout = 0');
  await client.query('begin');
  try {
    // Disables triggers and foreign keys: counters are restored with the rows, and tables can be loaded in any order.
    await client.query("set local session_replication_role = 'replica'");
    for (const { name, columns, rows, file } of tables) {
      await client.query(`delete from ${name}`);
      const into = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
      await pipeline(createReadStream(join(directory, file)), createGunzip(), into);
      if (into.rowCount !== rows) throw new UserError(`${name}: ${into.rowCount} of ${rows} rows came back.`);
    }
    for (const { name, value, isCalled } of sequences) {
      await client.query('select setval($1::regclass, $2::bigint, $3)', [name, value, isCalled]);
    }
    for (const file of files) await adoptFile(client, file);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  await client.query('analyze');
}

async function uploadFiles(project: Project, { files }: Manifest, directory: string): Promise<void> {
  for (const file of files) {
    await askStorage(project, 'POST', `${file.bucket}/${file.name}`, {
      headers: {
        'content-type': file.mime,
        'x-upsert': 'true',
        ...(file.cache_control && { 'cache-control': file.cache_control }),
        ...(file.user_metadata && { 'x-metadata': toBase64(JSON.stringify(file.user_metadata)) }),
      },
      body: readFileSync(join(directory, 'files', file.sha256)),
    });
  }
}

const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

/** The upload has created a new row; owner, creation time and verification are copied from the old one. */
async function adoptFile(client: pg.Client, file: StoredFile): Promise<void> {
  await client.query('update storage.objects set owner_id = $3, created_at = $4 where bucket_id = $1 and name = $2', [
    file.bucket,
    file.name,
    file.owner_id,
    file.created_at,
  ]);
  await client.query(
    `update private.verified_uploads v set object_id = o.id, version = o.version from storage.objects o
     where v.bucket = $1 and v.path = $2 and v.object_id = $3 and v.version is not distinct from $4
       and o.bucket_id = v.bucket and o.name = v.path`,
    [file.bucket, file.name, file.id, file.version],
  );
}

/** Exported for tests. */
export async function reconcile({ supabaseUrl, secretKey }: Project): Promise<LedgerProblem[]> {
  const found = async () => {
    const response = await fetch(`${supabaseUrl}/rest/v1/rpc/reconcile_ledger`, {
      headers: { apikey: secretKey, authorization: `Bearer ${secretKey}` },
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return problems.parse(await response.json());
  };
  return found().catch((error: unknown) => {
    throw new UserError(
      `Everything is restored, but the books were not recounted: ${messageOf(error)}. See "Ledger not recounted" in docs/runbooks.md.`,
    );
  });
}
