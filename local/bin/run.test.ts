import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../paths.ts';

/** A project without node_modules, with the script that every command starts with. */
let project: string;
let programs: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'questboard-first-'));
  programs = join(project, 'programs');
  mkdirSync(join(project, 'local/bin'), { recursive: true });
  mkdirSync(programs);
  copyFileSync(join(import.meta.dirname, 'run.mjs'), join(project, 'local/bin/run.mjs'));
  const dependencies = { '@questboard/nothing': '1.0.0' };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'first', type: 'module', dependencies }));
  writeFileSync(
    join(project, 'package-lock.json'),
    JSON.stringify({
      lockfileVersion: 3,
      packages: { '': {}, 'node_modules/@questboard/nothing': { version: '1.0.0' } },
    }),
  );
});
afterEach(() => rmSync(project, { recursive: true }));

/** Starts the script; resolves to its exit code and its messages. */
function start({ path = programs, flags = [] as string[] } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, 'local/bin/run.mjs', 'start'], {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: path, HOME: project },
  });
  return { status, stdout, lines: stderr.trim().split('\n') };
}

/** Fakes npm for failures that cannot be provoked. */
function npmThatSays(text: string): void {
  writeFileSync(join(programs, 'npm'), `#!/bin/sh\necho '${text}' >&2\nexit 1\n`);
  chmodSync(join(programs, 'npm'), 0o755);
}

const asNode = (version: string) => {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
};

it('package-lock.json has every build for every platform, so that `npm ci` works too', () => {
  const { packages } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const wanted = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => [`${path}/node_modules/${name}`, `node_modules/${name}`]),
  );
  expect(wanted.length).toBeGreaterThan(100);
  expect(wanted.filter((places) => !places.some((place) => place in packages))).toEqual([]);
});

it('a deleted package is reinstalled', () => {
  npmThatSays('npm is asked');
  const nothing = 'node_modules/@questboard/nothing';
  for (const folder of [nothing, 'node_modules/.bin']) mkdirSync(join(project, folder), { recursive: true });
  writeFileSync(join(project, 'node_modules/.bin/node'), '');
  writeFileSync(
    join(project, 'node_modules/.package-lock.json'),
    JSON.stringify({ packages: { [nothing]: { version: '1.0.0' } } }),
  );
  expect(start().lines.join()).not.toContain('npm is asked');
  rmSync(join(project, nothing), { recursive: true });
  expect(start().lines.join()).toContain('npm is asked');
});

describe('the bootstrap script says in one sentence', () => {
  it.each(['18.20.4', '20.18.3'])('that Node %s is too old, before it does anything', (version) => {
    expect(start({ flags: asNode(version) })).toEqual({
      status: 1,
      stdout: '',
      lines: [`Questboard needs Node 20.19 or newer to start, and this is Node ${version}.`],
    });
  });

  it('nothing when Node is new enough', () => {
    npmThatSays('npm error code EACCES');
    for (const version of ['20.19.0', '22.0.0'])
      expect(start({ flags: asNode(version) }).lines.join()).not.toContain('Node');
  });

  it('that npm is missing', () => {
    expect(start().lines).toEqual(['Packages could not be installed: npm is not on the PATH.']);
  });

  it('that the registry cannot be reached', () => {
    writeFileSync(join(project, '.npmrc'), 'registry=http://127.0.0.1:1/\n');
    const { status, lines } = start({ path: `${dirname(process.execPath)}:${process.env.PATH}` });
    expect(status).toBe(1);
    expect(lines).toEqual(['Packages could not be installed: the npm registry cannot be reached.']);
  });

  it('that it lacks write permission', () => {
    npmThatSays('npm error code EACCES: permission denied, mkdir node_modules');
    expect(start().lines).toEqual([`Packages could not be installed: no permission to write in ${project}/.`]);
  });

  it("npm's own message for any other error", () => {
    npmThatSays('npm warn old\nnpm error notarget No matching version');
    expect(start().lines).toEqual([
      'Packages could not be installed (npm install failed):',
      'npm error notarget No matching version',
    ]);
  });
});
