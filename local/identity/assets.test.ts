import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClerkPackage, clerkPackages, packageDirectory, prepareClerkAssets } from './assets.ts';
import { runIdentity } from './testing/run-identity.ts';

const run = promisify(execFile);

let directory: string;
let cacheDir: string;
let sample: ClerkPackage;

/** Packs a small package, so that nothing is downloaded. */
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'questboard-assets-'));
  cacheDir = join(directory, 'cache');
  const contents = join(directory, 'package');
  await mkdir(join(contents, 'dist'), { recursive: true });
  await writeFile(join(contents, 'package.json'), '{"name":"@clerk/clerk-js","version":"6.34.1"}');
  await writeFile(join(contents, 'dist', 'clerk.browser.js'), 'hello()');
  const source = join(directory, 'clerk-js.tgz');
  await run('tar', ['-czf', source, '-C', directory, 'package']);
  const tarball = await readFile(source);
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  sample = { name: 'clerk-js', version: '6.34.1', integrity, source };
});

afterEach(() => rm(directory, { recursive: true, force: true }));

test('unpacks the pinned packages, once', async () => {
  const progress: string[] = [];
  const options = { packages: [sample], onProgress: (line: string) => progress.push(line) };
  await Promise.all([prepareClerkAssets(cacheDir, options), prepareClerkAssets(cacheDir, options)]);
  const file = join(packageDirectory(cacheDir, sample), 'dist', 'clerk.browser.js');
  expect(await readFile(file, 'utf8')).toBe('hello()');
  progress.length = 0;
  await prepareClerkAssets(cacheDir, options);
  expect(progress).toEqual([]);
});

test('refuses a tarball that does not match its pin, and leaves nothing behind', async () => {
  const [pinned] = clerkPackages;
  const swapped = { ...sample, integrity: pinned?.integrity ?? '' };
  await expect(prepareClerkAssets(cacheDir, { packages: [swapped] })).rejects.toThrow(
    '@clerk/clerk-js 6.34.1 was refused: its content is not the one that is pinned.',
  );
  expect(await readdir(cacheDir)).toEqual([]);
});

test('says in one sentence that the registry cannot be reached', async () => {
  const unreachable = { ...sample, source: 'http://127.0.0.1:9/clerk-js.tgz' };
  await expect(prepareClerkAssets(cacheDir, { packages: [unreachable], retries: 0 })).rejects.toThrow(
    /^@clerk\/clerk-js 6\.34\.1 could not be fetched from the npm registry/,
  );
});

test('serves the files where the SDK looks, cached for long if the version is exact', async () => {
  await prepareClerkAssets(cacheDir, { packages: [sample] });
  await mkdir(join(cacheDir, 'ui-1.34.0'), { recursive: true });
  const running = await runIdentity({ assetsDir: cacheDir });
  const load = (path: string) => fetch(`${running.url}/__clerk/npm/@clerk/${path}`);

  const exact = await load('clerk-js@6.34.1/dist/clerk.browser.js');
  expect(exact.headers.get('content-type')).toContain('text/javascript');
  expect(exact.headers.get('cache-control')).toContain('immutable');
  expect(await exact.text()).toBe('hello()');
  const range = await load('clerk-js@6/dist/clerk.browser.js');
  expect(range.headers.get('cache-control')).toBe('public, max-age=3600');
  await range.text();

  expect((await load('clerk-js@6/dist/missing.js')).status).toBe(404);
  expect((await load('clerk-js@6/dist/..%2F..%2Fpackage.json')).status).toBe(404);
  expect((await load('elsewhere@1/dist/index.js')).status).toBe(404);
  await running.stop();
});
