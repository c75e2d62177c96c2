import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { PROJECT_ROOT } from '../../../local/paths.ts';

/** How often a test file called each function and changed each table. */
type Counts = Record<string, number>;

export type Coverage = Map<string, Counts>;

/**
 * What each test file reaches. Runs the files once on the undamaged database, but those that are kept in `directory`: with
 * `isExact` those whose text is still the same, else all that it knows. Fails when a test does.
 */
export async function measureCoverage(
  directory: string,
  hashes: Map<string, string>,
  isExact: boolean,
): Promise<Coverage> {
  const kept = join(directory, 'coverage.json');
  const known: Record<string, { hash: string; counts: Counts }> = existsSync(kept)
    ? JSON.parse(readFileSync(kept, 'utf8'))
    : {};
  const stale = [...hashes]
    .filter(([file, hash]) => !known[file] || (isExact && known[file]?.hash !== hash))
    .map(([file]) => file);
  for (const [file, counts] of await run(directory, stale)) known[file] = { hash: hashes.get(file) ?? '', counts };
  writeFileSync(kept, JSON.stringify(known));
  return new Map([...hashes.keys()].map((file) => [file, known[file]?.counts ?? {}]));
}

async function run(directory: string, files: string[]): Promise<[file: string, counts: Counts][]> {
  if (files.length === 0) return [];
  process.env.MUTATION_COVERAGE = directory;
  const vitest = await createVitest('test', {
    config: join(PROJECT_ROOT, 'supabase/tests/mutation/vitest.config.ts'),
    watch: false,
    // Most of it is waiting.
    maxWorkers: 4,
    reporters: [{}],
  });
  try {
    const specifications = await vitest.globTestSpecifications();
    const wanted = specifications.filter(({ moduleId }) => files.some((file) => moduleId === join(PROJECT_ROOT, file)));
    const { testModules } = await vitest.runTestSpecifications(wanted);
    const failed = testModules.filter((module) => module.state() === 'failed').map((module) => module.relativeModuleId);
    if (failed.length > 0) throw new Error(`tests fail without any mutant: ${failed.join(', ')}`);
  } finally {
    await vitest.close();
    delete process.env.MUTATION_COVERAGE;
  }
  return files.map((file) => [file, JSON.parse(readFileSync(join(directory, countsFile(file)), 'utf8'))]);
}

/** Where a test file's counts are written down. */
export const countsFile = (testFile: string): string => `${testFile.replace(/^.*\//, '')}.counts.json`;

/** The test files that reach a function or table; those that are mostly about it first. */
export function filesReaching(coverage: Coverage, subject: string): string[] {
  return [...coverage]
    .map(([file, counts]) => {
      const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
      // A call that ended in a refusal is listed, but not counted.
      const calls = subject in counts ? (counts[subject] ?? 0) + 1 : 0;
      return { file, share: calls / all, kin: kinship(file, subject) };
    })
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.kin - a.kin || b.share - a.share)
    .map(({ file }) => file);
}

/** How many words the names of a test file and of a function have in common. */
function kinship(file: string, subject: string): number {
  const words = (text: string) =>
    new Set(
      text
        .toLowerCase()
        .split(/[^a-z]+/)
        .map((word) => word.replace(/s$/, '')),
    );
  const name = words(subject.replace(/\(.*/, ''));
  const own = words(file.replace(/^.*\//, '').replace('.test.ts', ''));
  return [...own].filter((word) => word.length > 2 && name.has(word)).length;
}
