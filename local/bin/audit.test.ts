import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PROJECT_ROOT } from '../paths.ts';

/** Runs the package audit with a fake npm that gives this answer and records its arguments. */
function audit(answer: unknown) {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-npm-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const asked = join(directory, 'asked');
  const script = `#!/bin/sh\necho "$@" >> ${asked}\ntest "$1" = install && cp package.json ${directory}\ncat <<'END'\n${JSON.stringify(answer)}\nEND\n`;
  writeFileSync(join(directory, 'npm'), script, { mode: 0o755 });
  const { status, stdout } = spawnSync(process.execPath, ['local/bin/audit.mjs'], {
    cwd: PROJECT_ROOT,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${directory}:${process.env.PATH}` },
  });
  const functions = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).dependencies;
  return { status, stdout, asked: readFileSync(asked, 'utf8').trim().split('\n'), functions };
}

const report = (vulnerabilities: object) => ({ vulnerabilities, metadata: { dependencies: { prod: 9 } } });

it('the audit passes without findings of level high, and covers the packages of the site and of the functions', () => {
  const { status, asked, functions } = audit(report({ a: { name: 'a', severity: 'moderate', range: '<1' } }));
  expect(status).toBe(0);
  expect(asked.map((line) => line.split(' ')[0])).toEqual(['audit', 'install', 'audit']);
  expect(asked.filter((line) => line.startsWith('audit')).every((line) => line.includes('--omit=dev'))).toBe(true);
  expect(functions).toMatchObject({
    stripe: expect.stringMatching(/^\d/),
    '@sentry/deno': expect.stringMatching(/^\d/),
  });
});

it('the audit fails with a finding of level high and names it', () => {
  const { status, stdout } = audit(report({ jose: { name: 'jose', severity: 'high', range: '<7' } }));
  expect(status).toBe(1);
  expect(stdout).toContain('::error::Site: jose <7 (high)');
});

it('an unresponsive registry is reported, but fails nothing', () => {
  const { status, stdout } = audit({ message: 'request failed', error: { summary: 'ETIMEDOUT' } });
  expect(status).toBe(0);
  expect(stdout).toContain('::warning::Site: the registry did not answer: ETIMEDOUT');
});
