import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { backUp } from './backup/backup.ts';
import { restore } from './backup/restore.ts';
import { CLERK_WEBHOOK_SECRET, STRIPE_WEBHOOK_SECRET } from './constants.ts';
import { withClient } from './database/connection.ts';
import { examine } from './doctor/examine.ts';
import type { StackEnv } from './env.ts';
import { startEphemeralStack } from './ephemeral-stack.ts';
import { loadSigningKey } from './identity/keys.ts';
import { signSessionToken } from './identity/tokens.ts';
import { PROJECT_ROOT, program } from './paths.ts';
import type { Stack } from './stack.ts';
import { newPersona } from './testing/clients.ts';
import { startTraffic } from './testing/traffic.ts';

/**
 * docs/deploy.md and docs/restore.md from beginning to end, on embedded stacks that pose as hosted projects: the database starts without
 * our migrations, and the official CLI applies them. Part of `npm run test:full`; backup, upgrade and doctor have quick tests of their own.
 */
const run = describe.runIf(process.env.QUESTBOARD_FULL);
const work = mkdtempSync(join(tmpdir(), 'questboard-rehearsal-'));
const stacks: Stack[] = [];
afterAll(async () => {
  await Promise.all(stacks.map((stack) => stack.stop()));
  rmSync(work, { recursive: true, force: true });
});

const owner = newPersona('owner');
const member = newPersona('member');

async function newProject(): Promise<StackEnv> {
  const stack = await startEphemeralStack({ isSeeded: false, isBare: true });
  stacks.push(stack);
  return stack.env;
}

/** `npx supabase db push --remote --yes`, with the project's address instead of a link. */
async function push(env: StackEnv, directory = PROJECT_ROOT): Promise<string> {
  const args = [
    'db',
    'push',
    '--yes',
    '--skip-vault',
    `--remote=${env.DATABASE_URL}?sslmode=disable`,
    '--workdir',
    directory,
  ];
  const variables = { CLERK_DOMAIN: 'clerk.example.com', ...process.env };
  const { stdout, stderr } = await promisify(execFile)(program('supabase'), args, { env: variables });
  return stdout + stderr;
}

/** What the guide puts into the SQL editor. */
const configure = (env: StackEnv) =>
  withClient(env.DATABASE_URL, async (client) => {
    await client.query('update private.deployment set token_issuer = $1', [env.IDENTITY_ISSUER]);
    await client.query('update public.app_settings set owner_email = $1', [owner.email]);
  });

async function tick(env: StackEnv): Promise<void> {
  for (const worker of ['deliver-events', 'import-logos', 'remove-orphans', 'self-check']) {
    const headers = { authorization: `Bearer ${env.CRON_SECRET}` };
    const response = await fetch(`${env.SUPABASE_URL}/functions/v1/${worker}`, { method: 'POST', headers });
    expect([worker, response.status]).toEqual([worker, 200]);
  }
}

/** A procedure called by a signed-in user, as the app does. */
async function call(env: StackEnv, who: typeof owner, name: string, args: object = {}) {
  const token = await signSessionToken(
    await loadSigningKey(env.IDENTITY_DIRECTORY),
    { ...who, emailVerified: true, publicMetadata: {} },
    { issuer: env.IDENTITY_ISSUER, ttlSeconds: 300 },
  );
  const headers = {
    apikey: env.SUPABASE_ANON_KEY,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };
  const response = await fetch(`${env.SUPABASE_URL}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(args),
  });
  return { status: response.status, body: await response.json() };
}

/** The doctor's findings about the project's database and functions. */
async function wrong(env: StackEnv): Promise<string[]> {
  const findings = await examine({
    VITE_SUPABASE_URL: env.SUPABASE_URL,
    VITE_SUPABASE_ANON_KEY: env.SUPABASE_ANON_KEY,
    VITE_CLERK_PUBLISHABLE_KEY: env.CLERK_PUBLISHABLE_KEY,
    SITE_URL: env.APP_URL,
    CLERK_ISSUER: env.IDENTITY_ISSUER,
    CLERK_JWKS_URL: `${env.IDENTITY_URL}/.well-known/jwks.json`,
    SUPABASE_SECRET_KEY: env.SUPABASE_SECRET_KEY,
    CRON_SECRET: env.CRON_SECRET,
    STRIPE_WEBHOOK_SECRET,
    CLERK_WEBHOOK_SECRET,
  });
  const elsewhere = ['RESEND_API_KEY', 'MAIL_FROM', 'STRIPE_SECRET_KEY'];
  return findings.flatMap(({ state, subject }) =>
    state === 'problem' && !elsewhere.includes(subject) ? [subject] : [],
  );
}

const projectOf = (env: StackEnv) => ({
  databaseUrl: env.DATABASE_URL,
  supabaseUrl: env.SUPABASE_URL,
  secretKey: env.SUPABASE_SECRET_KEY,
});

run('from nothing to live, an upgrade, a loss and a restore', () => {
  it('works as the guides say', async () => {
    const env = await newProject();
    expect(await wrong(env)).toContain('Database');
    expect(await push(env)).toContain('Finished');
    // The API reloads the schema a moment after the CLI has finished.
    await vi.waitFor(
      async () =>
        expect(await wrong(env)).toEqual(expect.arrayContaining(['Owner', 'Token issuer', 'Schedule deliver-events'])),
      { timeout: 30_000, interval: 1_000 },
    );
    await configure(env);
    await tick(env);
    expect(await wrong(env)).toEqual([]);

    // A member signs up and is paid; the owner is an admin.
    expect(await call(env, member, 'sync_current_user')).toMatchObject({ status: 200 });
    expect(await call(env, owner, 'sync_current_user')).toMatchObject({ status: 200 });
    expect(await call(env, owner, 'get_system_health')).toMatchObject({ status: 200 });
    await withClient(env.DATABASE_URL, (client) =>
      client.query("select public.credit_points_safe($1, 25, 'Rehearsal')", [member.id]),
    );

    // The next release, under load.
    const next = join(work, 'next');
    mkdirSync(next);
    cpSync(join(PROJECT_ROOT, 'supabase'), join(next, 'supabase'), {
      recursive: true,
      filter: (path) => !/\/(functions\/[^/]+\/|tests|\.temp|\.env)/.test(path),
    });
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(next, 'node_modules'));
    writeFileSync(
      join(next, 'supabase/migrations/29990101000000_next.sql'),
      "alter table public.wallets add column rehearsal text not null default '';\n",
    );
    const traffic = startTraffic(env.DATABASE_URL);
    await push(env, next);
    const { calls, errors } = await traffic.stop();
    expect(errors).toEqual([]);
    expect(calls).toBeGreaterThan(20);
    // The previous checkout reports that the database is ahead of it.
    const foundThen = await wrong(env);
    expect(foundThen).toContain('Migrations');

    const directory = join(work, 'backup');
    const { migrations } = await backUp(projectOf(env), directory);
    expect(migrations.at(-1)).toBe('29990101000000');
    const before = await call(env, member, 'get_own_data');
    await stacks.pop()?.stop();

    // The project is lost. A new one gets the same version, and the backup.
    const again = await newProject();
    await push(again);
    await expect(restore(projectOf(again), directory)).rejects.toThrow('The backup was made with the migrations');
    await push(again, next);
    expect(await restore(projectOf(again), directory)).toEqual([]);
    await tick(again);
    expect(await call(again, member, 'sync_current_user')).toMatchObject({ status: 200, body: { user_id: member.id } });
    const after = await call(again, member, 'get_own_data');
    expect(after.body.wallets).toEqual(before.body.wallets);
    expect(after.body.wallets).toEqual([expect.objectContaining({ kind: 'user', rehearsal: '' })]);
    expect(after.body.wallets[0].points).toBeGreaterThanOrEqual(25);
    // The new project is complete: the doctor finds the same as before, and the owner is an admin again.
    expect(await wrong(again)).toEqual(foundThen);
    expect(await call(again, owner, 'get_system_health')).toMatchObject({ status: 200 });
    expect(JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')).tables.length).toBeGreaterThan(30);
  }, 300_000);
});
