import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { PROJECT_ROOT, program } from '../paths.ts';
import { probeFreePort } from '../process/ports.ts';
import { StartedParts } from '../process/started-parts.ts';
import { testEnv } from '../testing/clients.ts';
import { databaseUrl, withClient } from './connection.ts';
import { copyDirectory } from './data-directory.ts';
import { readMigrations } from './migrations.ts';
import { startDatabase } from './server.ts';
import { databaseTemplate } from './template.ts';

/** Runs `supabase db push` against a database. */
async function push(url: string, ...flags: string[]): Promise<string> {
  const args = ['db', 'push', '--yes', '--skip-vault', `--remote=${url}?sslmode=disable`, ...flags];
  const env = { CLERK_DOMAIN: 'clerk.example.com', ...process.env };
  const { stdout, stderr } = await promisify(execFile)(program('supabase'), args, { cwd: PROJECT_ROOT, env });
  return stdout + stderr;
}

it('the official CLI has nothing left to apply on a stack', async () => {
  expect(await push(testEnv().DATABASE_URL, '--dry-run')).toContain('up to date');
});

it('the official CLI applies every migration to an empty platform', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-push-'));
  chmodSync(directory, 0o711);
  const data = join(directory, 'database');
  copyDirectory(await databaseTemplate({ migrations: [], isSeeded: false }), data);
  const port = await probeFreePort();
  const parts = new StartedParts(directory, { isEphemeral: true });
  parts.addDatabase(await startDatabase({ directory: data, port, isDurable: false, onFailure: () => undefined }));
  try {
    await push(databaseUrl('postgres', port));
    const applied = await withClient(databaseUrl('postgres', port), (client) =>
      client.query<{ version: string }>('select version from supabase_migrations.schema_migrations order by version'),
    );
    expect(applied.rows.map(({ version }) => version)).toEqual(readMigrations().map(({ version }) => version));
  } finally {
    await parts.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
