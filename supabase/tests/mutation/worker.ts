import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVitest, type TestModule } from 'vitest/node';
import { PROJECT_ROOT } from '../../../local/paths.ts';

/** A process of the mutation run: damages a database, asks the tests, and says which one noticed. */
export interface Job {
  sql: string;
  /** Asked one after another until a test fails. */
  attempts: Attempt[];
}

export interface Attempt {
  file: string;
  /** Only these tests of the file; all when left out. */
  tests?: string[];
}

export interface Verdict {
  /** The first test that failed; null when all passed. */
  noticedBy: { file: string; test: string } | null;
}

const directory = mkdtempSync(join(tmpdir(), 'questboard-mutation-'));
process.env.MUTATION_FILE = join(directory, 'mutant.sql');
writeFileSync(process.env.MUTATION_FILE, '');

const vitest = await createVitest('test', {
  config: join(PROJECT_ROOT, 'supabase/tests/mutation/vitest.config.ts'),
  watch: false,
  bail: 1,
  // The modules stay loaded from one mutant to the next; each run has a database of its own all the same.
  isolate: false,
  pool: 'threads',
  maxWorkers: 1,
  reporters: [{}],
});
const specifications = await vitest.globTestSpecifications();

async function judge({ sql, attempts }: Job): Promise<Verdict> {
  writeFileSync(process.env.MUTATION_FILE ?? '', sql);
  for (const { file, tests } of attempts) {
    const moduleId = join(PROJECT_ROOT, file);
    const project = specifications.find((specification) => specification.moduleId === moduleId)?.project;
    if (!project) throw new Error(`no test file ${file}`);
    const testNamePattern = tests && new RegExp(`^\\s*(${tests.map(escapeRegExp).join('|')})$`);
    const run = await vitest.runTestSpecifications([project.createSpecification(moduleId, { testNamePattern })]);
    const own = run.testModules.filter((module) => module.moduleId === moduleId);
    const failed =
      own.map(firstFailure).find(Boolean) ??
      (run.unhandledErrors.length > 0 ? 'an error outside of the tests' : undefined);
    if (failed) return { noticedBy: { file, test: failed } };
  }
  return { noticedBy: null };
}

/** Name of the first test that failed, in the form that a name pattern is held against. */
function firstFailure(module: TestModule): string | undefined {
  for (const test of module.children.allTests('failed')) return test.fullName.replaceAll(' > ', ' ');
  return module.state() === 'failed' ? 'set-up or end of the file' : undefined;
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

process.on('message', async (job: Job | 'end') => {
  if (job === 'end') {
    await vitest.close();
    rmSync(directory, { recursive: true, force: true });
    process.exit(0);
  }
  process.send?.(await judge(job));
});
process.send?.('ready');
