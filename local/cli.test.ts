import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from './paths.ts';

interface Outcome {
  code: number | null;
  output: string;
}

const run = (...args: string[]): Promise<Outcome> => runWith({}, ...args);

const runWith = (settings: NodeJS.ProcessEnv, ...args: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(PROJECT_ROOT, 'local/cli.ts'), ...args],
      { env: { ...process.env, ...settings } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });

it.each([
  ['an extra word after a command without arguments', ['start', 'nonsense'], 'Unknown word: nonsense'],
  ['a second word after a command with one argument', ['token', 'a@example.com', 'more'], 'Unknown word: more'],
  ['an option that does not exist', ['stack', '--nonsense'], "Unknown option '--nonsense'"],
  ['a command that does not exist', ['nonsense'], 'Usage: npm start'],
  ['no command', [], 'Usage: npm start'],
  ['a step of the tests that does not exist', ['test', 'nonsense'], 'nonsense'],
  ['an invalid address', ['token', 'nobody'], 'Usage: npm run token -- EMAIL'],
])('%s is refused in a sentence, and nothing starts', async (_what, args, sentence) => {
  const { code, output } = await run(...args);
  expect(output).toContain(sentence);
  expect(output).not.toMatch(/^\s+at /m);
  expect(code).toBe(1);
});

it('a test run that finds nothing to run fails', async () => {
  const { code, output } = await run('test', 'unit', 'no-such-test');
  expect(output).toContain('No test files found');
  expect(output.trim().split('\n').at(-1)).toBe('0 passed, 1 failed');
  expect(code).toBe(1);
}, 60_000);

it.each([
  ['a database that does not answer', 'x', join(tmpdir(), 'questboard-no-backup'), 'connect ECONNREFUSED 127.0.0.1:1'],
  ['a password that is not encoded', 'a#b', join(tmpdir(), 'questboard-no-backup'), 'DATABASE_URL is no connection'],
  ['a directory that is a file', 'x', join(PROJECT_ROOT, 'package.json'), 'ENOTDIR'],
])('npm run backup says %s in one sentence', async (_what, password, directory, sentence) => {
  const project = { VITE_SUPABASE_URL: 'http://127.0.0.1:1', SUPABASE_SECRET_KEY: 'sb_secret_none' };
  const settings = { ...project, DATABASE_URL: `postgresql://postgres:${password}@127.0.0.1:1/postgres` };
  const { code, output } = await runWith(settings, 'backup', directory);
  // It must be new for the next attempt.
  expect(existsSync(join(tmpdir(), 'questboard-no-backup'))).toBe(false);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain(sentence);
  expect(code).toBe(1);
});
