import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from './paths.ts';

/**
 * The sections "Changing the database" and "Releasing" of CONTRIBUTING.md, with their own commands in a throw-away copy of the checkout.
 * Part of `npm run test:full`: it creates a dozen databases.
 */
const run = describe.runIf(process.env.QUESTBOARD_FULL);
const copy = mkdtempSync(join(tmpdir(), 'questboard-release-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const KEPT_OUT = new Set(['.git', '.local', '.vercel', 'node_modules', 'dist', 'test-results']);
const path = (name: string) => join(copy, name);
const migrations = () => readdirSync(path('supabase/migrations')).sort();
const released = () => Object.keys(JSON.parse(readFileSync(path('supabase/released/checksums.json'), 'utf8')));

interface Outcome {
  code: number;
  output: string;
}

/** Runs a program of the copy; a non-zero exit code is a result too. */
async function call(program: string, ...args: string[]): Promise<Outcome> {
  const options = { cwd: copy, maxBuffer: 32 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } };
  return promisify(execFile)(program, args, options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

const command = (...args: string[]) => call(process.execPath, 'local/bin/run.mjs', ...args);

/** The tests that keep migrations, schema and released checksums consistent, as `npm test` runs them. */
const checks = () => call('node_modules/.bin/vitest', 'run', '--project', 'stack', 'local/database/schema.test.ts');

function edit(file: string, before: string, after: string): void {
  const text = readFileSync(path(file), 'utf8');
  if (!text.includes(before)) throw new Error(`${file} does not say: ${before}`);
  writeFileSync(path(file), text.replace(before, after));
}

run('a release and the one after it', () => {
  it('copies the checkout', () => {
    for (const name of readdirSync(PROJECT_ROOT)) {
      if (!KEPT_OUT.has(name)) cpSync(join(PROJECT_ROOT, name), path(name), { recursive: true });
    }
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), path('node_modules'));
    expect(migrations()).toHaveLength(1);
  });

  it('a schema that cannot be read leaves the migrations as they are', async () => {
    mkdirSync(path('supabase/schemas/99_unreadable.sql'));
    expect(await command('db:baseline')).toMatchObject({ code: 1, output: expect.stringContaining('EISDIR') });
    expect(migrations()).toHaveLength(1);
    rmdirSync(path('supabase/schemas/99_unreadable.sql'));
  });

  it('1.0.0: the baseline is recorded with its demo data, and can no longer be regenerated', async () => {
    expect(await command('db:release')).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 migrations are released'),
    });
    expect(released()).toEqual(migrations());
    expect(existsSync(path('supabase/released/seed.sql'))).toBe(true);
    const refused = await command('db:baseline');
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain('is released and stays as it is');
  });

  it('1.0.1: a changed schema becomes the next migration, which a seeded database of 1.0.0 applies with balanced books', async () => {
    edit('package.json', '"version": "1.0.0"', '"version": "1.0.1"');
    edit(
      'supabase/schemas/52_csp_reports.sql',
      'create table private.csp_reports (',
      "create table private.release_notes (\n  id bigint generated always as identity primary key,\n  words text not null default ''\n);\n" +
        "comment on table private.release_notes is 'What a release changed.';\n\ncreate table private.csp_reports (",
    );
    const before = await checks();
    expect(before.code, 'the schema is ahead of the migrations').not.toBe(0);

    const changed = await command('db:change', 'add_release_notes');
    expect(changed.output).toContain('add_release_notes.sql');
    expect(changed.code).toBe(0);
    expect(migrations()).toHaveLength(2);
    const after = await checks();
    expect(after.output).toMatch(/Tests\s+\d+ passed/);
    expect(after.code).toBe(0);

    expect(await command('db:release')).toMatchObject({
      code: 0,
      output: expect.stringContaining('2 migrations are released'),
    });
    expect(released()).toEqual(migrations());
  }, 600_000);

  it('an edit of a released migration is refused by the tests and by the next release', async () => {
    appendFileSync(path(join('supabase/migrations', migrations()[0] ?? '')), '-- a little later\n');
    const refused = await command('db:release');
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain('is released and was edited');
    const noticed = await checks();
    expect(noticed.code).not.toBe(0);
    expect(noticed.output).toContain('is released and was edited');
  }, 300_000);
});
