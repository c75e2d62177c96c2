import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../paths.ts';

const { mutate } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'stryker.config.json'), 'utf8')) as { mutate: string[] };
const without = mutate.filter((pattern) => pattern.startsWith('!'));

/** Tests outside src/lib that cover code in it: page metadata is covered by the tests of the hosts' responses. */
const MORE_TESTS_OF_LIB = [
  'src/app/page-addresses.test.ts',
  'vite/hosting/crawling.test.ts',
  'vite/hosting/site.test.ts',
];

/** Folders with rules, each covered by the tests in it: running all tests against all mutants would take days. */
export const FOLDERS = [
  'src/lib',
  ...readdirSync(join(PROJECT_ROOT, 'src/features'))
    .toSorted()
    .map((name) => `src/features/${name}`),
];

/** Stryker's arguments for one folder. Its results are added to those of the others. */
export function argumentsFor(folder: string): string[] {
  const tests = [`${folder}/**/*.test.ts`, ...(folder === 'src/lib' ? MORE_TESTS_OF_LIB : [])];
  return ['--mutate', [`${folder}/**/*.ts`, ...without].join(','), '--testFiles', tests.join(',')];
}

/** Every file with rules that may be mutated. */
export function mutableFiles(): string[] {
  const find = (patterns: string[]) => globSync(patterns, { cwd: PROJECT_ROOT });
  const excluded = new Set(find(without.map((pattern) => pattern.slice(1))));
  return find(mutate.filter((pattern) => !pattern.startsWith('!')))
    .filter((file) => !excluded.has(file))
    .toSorted();
}
