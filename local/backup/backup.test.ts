import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { withClient } from '../database/connection.ts';
import type { StackEnv } from '../env.ts';
import { startEphemeralStack } from '../ephemeral-stack.ts';
import { loadSigningKey } from '../identity/keys.ts';
import { signSessionToken } from '../identity/tokens.ts';
import { PROJECT_ROOT } from '../paths.ts';
import { UserError } from '../process/user-error.ts';
import type { Stack } from '../stack.ts';
import { asUser, closeSql, newPersona, sql, testEnv, tokenFor } from '../testing/clients.ts';
import { picture } from '../testing/pictures.ts';
import { backUp } from './backup.ts';
import type { Manifest } from './manifest.ts';
import { askStorage, type Project } from './project.ts';
import { reconcile, restore } from './restore.ts';

const projectOf = (env: StackEnv): Project => ({
  databaseUrl: env.DATABASE_URL,
  supabaseUrl: env.SUPABASE_URL,
  secretKey: env.SUPABASE_SECRET_KEY,
});

const source = testEnv();
const member = newPersona('restored');
const proof = `${member.id}/proof_1_a.png`;
const directory = mkdtempSync(join(tmpdir(), 'questboard-backup-'));
const backupDirectory = join(directory, 'backup');

let target: Stack;
let backup: Manifest;

/** Rows of a table in a backup, sorted. */
const rowsOf = (folder: string, { tables }: Manifest, name: string) => {
  const file = tables.find((table) => table.name === name)?.file ?? '';
  return gunzipSync(readFileSync(join(folder, file)))
    .toString()
    .split('\n')
    .sort();
};

/** Credits the member repeatedly until stopped. */
function movePoints(): { stop(): Promise<void> } {
  let isStopped = false;
  let moved = 0;
  const moving = (async () => {
    for (let round = 0; !isStopped; round += 1) {
      await sql().query("select public.credit_points_safe($1, 3, 'Moving')", [member.id]);
      moved = round;
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await moving;
      expect(moved).toBeGreaterThan(10);
    },
  };
}

beforeAll(async () => {
  target = await startEphemeralStack({ isSeeded: false });
  const client = await asUser(member);
  await client.rpc('sync_current_user').throwOnError();
  const upload = await fetch(`${source.SUPABASE_URL}/storage/v1/object/proofs/${proof}`, {
    method: 'POST',
    headers: {
      apikey: source.SUPABASE_ANON_KEY,
      authorization: `Bearer ${await tokenFor(member)}`,
      'content-type': 'image/png',
      'cache-control': 'max-age=3600',
      'x-metadata': Buffer.from('{"taken": "in spring – früh"}').toString('base64'),
    },
    body: await picture(7),
  });
  expect(upload.status).toBe(200);
  const check = await fetch(`${source.SUPABASE_URL}/functions/v1/verify-upload`, {
    method: 'POST',
    headers: {
      apikey: source.SUPABASE_ANON_KEY,
      authorization: `Bearer ${await tokenFor(member)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ bucket: 'proofs', path: proof }),
  });
  expect([check.status, await check.clone().text()]).toEqual([200, expect.any(String)]);

  const moving = movePoints();
  try {
    backup = await backUp(projectOf(source), backupDirectory);
  } finally {
    await moving.stop();
  }
});
afterAll(async () => {
  await target.stop();
  await closeSql();
  rmSync(directory, { recursive: true, force: true });
});

describe('npm run backup, npm run restore', () => {
  it('refuse a damaged backup', async () => {
    const { file = '' } = backup.tables.find(({ name }) => name === 'public.wallets') ?? {};
    const path = join(backupDirectory, file);
    const whole = readFileSync(path);
    appendFileSync(path, 'x');
    await expect(restore(projectOf(target.env), backupDirectory)).rejects.toThrow(`damaged: ${file}`);
    writeFileSync(path, whole);
  });

  it('say that a later version wrote a backup, which a manifest of another format does not make damaged', async () => {
    const later = mkdtempSync(join(directory, 'later-'));
    writeFileSync(join(later, 'manifest.json'), JSON.stringify({ ...backup, format: 2 }));
    await expect(restore(projectOf(target.env), later)).rejects.toThrow('A later version of Questboard wrote');
    writeFileSync(join(later, 'manifest.json'), JSON.stringify(backup).slice(0, -9));
    await expect(restore(projectOf(target.env), later)).rejects.toThrow('missing or damaged');
  });

  it('only one of two backups that begin at once gets the directory, which both would fill', async () => {
    const shared = join(directory, 'shared');
    const outcomes = await Promise.allSettled([1, 2].map(() => backUp(projectOf(source), shared)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { name: 'UserError', message: expect.stringContaining('is not empty') },
    });
  });

  it('a lost connection to the database is a sentence, and does not end the process', async () => {
    const lost = withClient(source.DATABASE_URL, async (client) => {
      const { rows } = await client.query('select pg_backend_pid() as pid');
      const ended = new Promise((resolve) => client.once('end', resolve));
      await sql().query('select pg_terminate_backend($1)', [rows[0].pid]);
      await ended;
      await client.query('select 1');
    });
    await expect(lost).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(/^The connection to the database was lost: terminating/),
    });
  });

  it('refuse to overwrite existing members, and to write into a directory that is not empty', async () => {
    await expect(restore(projectOf(source), backupDirectory)).rejects.toThrow('There are people');
    await expect(backUp(projectOf(source), backupDirectory)).rejects.toThrow('is not empty');
  });

  it('refuse the connection string of one project beside the address or the key of another, before anything is written', async () => {
    const { databaseUrl, ...api } = projectOf(source);
    const mixed = { ...api, databaseUrl: target.env.DATABASE_URL };
    const elsewhere = join(directory, 'mixed');
    await expect(restore(mixed, backupDirectory)).rejects.toThrow('are those of two projects');
    await expect(backUp(mixed, elsewhere)).rejects.toThrow('are those of two projects');
    const withKey = (secretKey: string) => backUp({ ...api, databaseUrl, secretKey }, elsewhere);
    await expect(withKey(source.SUPABASE_ANON_KEY)).rejects.toThrow('SUPABASE_SECRET_KEY is not the secret key');
    await expect(withKey(target.env.SUPABASE_SECRET_KEY)).rejects.toThrow('SUPABASE_SECRET_KEY is not the secret key');
    expect(existsSync(elsewhere)).toBe(false);
  });

  // In a process that can be ended: it once never returned.
  it.runIf(process.platform === 'linux')(
    'backup says that its directory cannot be created',
    async () => {
      const settings = {
        DATABASE_URL: source.DATABASE_URL,
        VITE_SUPABASE_URL: source.SUPABASE_URL,
        SUPABASE_SECRET_KEY: source.SUPABASE_SECRET_KEY,
      };
      const running = promisify(execFile)(
        process.execPath,
        [join(PROJECT_ROOT, 'local/cli.ts'), 'backup', '/proc/backup'],
        { env: { ...process.env, ...settings }, timeout: 20_000, killSignal: 'SIGKILL' },
      );
      await expect(running).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^\S* ?\/proc\/backup cannot be created: ENOENT.*\n$/),
      });
    },
    30_000,
  );

  it('restore can be run again after it has failed among the files, and refuses a project with files of its own', async () => {
    const empty = projectOf(target.env);
    const file = { headers: { 'content-type': 'text/plain' }, body: 'x' };
    await askStorage(empty, 'POST', 'site/mine.txt', file);
    await expect(restore(empty, backupDirectory)).rejects.toThrow('There are people or files');
    await askStorage(empty, 'DELETE', 'site', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prefixes: ['mine.txt'] }),
    });
    await expect(restore({ ...empty, secretKey: 'sb_secret_wrong' }, backupDirectory)).rejects.toThrow(
      'SUPABASE_SECRET_KEY is not the secret key',
    );
    // What an attempt that failed later would have left; the next test restores.
    await askStorage(empty, 'POST', `proofs/${proof}`, { headers: { 'content-type': 'image/png' }, body: 'half' });
  });

  it('restore says that only the recount is missing, because it cannot be run again', async () => {
    const silent = { ...projectOf(target.env), supabaseUrl: 'http://127.0.0.1:1' };
    await expect(reconcile(silent)).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('Everything is restored, but the books were not recounted: fetch failed'),
    });
  });

  it('TRUST-01 C-105 restore every row, sequence and file of a backup taken while points moved, and the books balance, also when two begin at once', async () => {
    const both = await Promise.allSettled([1, 2].map(() => restore(projectOf(target.env), backupDirectory)));
    expect(both).toContainEqual({ status: 'fulfilled', value: [] });
    expect(both).toContainEqual({
      status: 'rejected',
      reason: new UserError('Another restore into this project is running.'),
    });
    const again = join(directory, 'again');
    const restored = await backUp(projectOf(target.env), again);
    expect(restored.migrations).toEqual(backup.migrations);
    expect(restored.sequences).toEqual(backup.sequences);
    const identity = ({ id: _id, version: _version, ...file }: Manifest['files'][number]) => file;
    expect(restored.files.map(identity)).toEqual(backup.files.map(identity));
    expect(restored.files.find(({ name }) => name === proof)).toMatchObject({
      cache_control: 'max-age=3600',
      user_metadata: { taken: 'in spring – früh' },
    });
    // Restored files have new rows in storage, to which their verifications refer.
    for (const { name } of backup.tables.filter((table) => table.name !== 'private.verified_uploads')) {
      expect(rowsOf(again, restored, name), name).toEqual(rowsOf(backupDirectory, backup, name));
    }
    expect(backup.tables.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(1_000);
  });

  it.each(['before', 'after'])(
    'a file that is replaced just %s it is read is kept with the row of its new bytes, which nobody has verified, and without the old ones',
    async (moment) => {
      const project = projectOf(source);
      const name = `replaced-${moment}.txt`;
      const put = (body: string) =>
        askStorage(project, 'POST', `site/${name}`, {
          headers: { 'content-type': 'text/plain', 'x-upsert': 'true' },
          body,
        });
      await put('old');
      const { fetch } = globalThis;
      const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
        if (!String(request[0]).endsWith(`/site/${name}`)) return fetch(...request);
        fetching.mockRestore();
        if (moment === 'before') await put('new');
        const answer = await fetch(...request);
        if (moment === 'after') await put('new');
        return answer;
      });
      const target = join(directory, name);
      const { files } = await backUp(project, target);
      const kept = files.find((file) => file.name === name);
      const { rows } = await sql().query('select id, version from storage.objects where name = $1', [name]);
      expect(kept).toMatchObject({ ...rows[0], sha256: createHash('sha256').update('new').digest('hex') });
      expect(readdirSync(join(target, 'files')).sort()).toEqual([...new Set(files.map(({ sha256 }) => sha256))].sort());
    },
  );

  it('times are written in one style, whatever style and time zone the role has', async () => {
    const project = projectOf(source);
    await askStorage(project, 'POST', 'site/dated.txt', { headers: { 'content-type': 'text/plain' }, body: 'x' });
    await sql().query(
      `alter role postgres set datestyle = 'SQL, DMY'; alter role postgres set timezone = 'Asia/Kolkata'`,
    );
    const folder = join(directory, 'dated');
    try {
      const dated = await backUp(project, folder);
      expect(dated.files.find(({ name }) => name === 'dated.txt')?.created_at).toMatch(/^\d{4}-\d\d-\d\dT.*\+05:30$/);
      expect(rowsOf(folder, dated, 'public.app_settings').join()).toMatch(/\t\d{4}-\d\d-\d\d [\d:.]+\+05:30\t/);
    } finally {
      await sql().query('alter role postgres reset datestyle; alter role postgres reset timezone');
    }
  });

  it('sign-in still works: the member finds their points and screenshot, and can continue', async () => {
    const { env } = target;
    const token = await signSessionToken(
      await loadSigningKey(env.IDENTITY_DIRECTORY),
      { ...member, emailVerified: true, publicMetadata: {} },
      { issuer: env.IDENTITY_ISSUER, ttlSeconds: 300 },
    );
    const call = async (path: string, body: object) => {
      const headers = {
        apikey: env.SUPABASE_ANON_KEY,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      };
      const response = await fetch(`${env.SUPABASE_URL}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    };
    const signedIn = await call('/rest/v1/rpc/sync_current_user', {});
    expect(signedIn).toMatchObject({ status: 200, body: { user_id: member.id, email: member.email } });
    const link = await call('/functions/v1/sign-proof', { path: proof });
    expect(link.status).toBe(200);
    const shown = await fetch(new URL(link.body.url, env.SUPABASE_URL));
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(await picture(7));
  });
});
