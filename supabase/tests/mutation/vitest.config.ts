import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import { readSession } from './session.ts';
import { testFiles } from './test-files.ts';

/** Starts with the most relevant files, because a run may be interrupted. */
class MostFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const count = ({ moduleId }: TestSpecification) => readSession(moduleId).mutants.length;
    return files.toSorted((a, b) => count(b) - count(a));
  }
}

/** The database tests with what the mutation run needs: see mutating-runner.ts. */
export default defineConfig({
  root: PROJECT_ROOT,
  resolve: { alias: { '@': join(PROJECT_ROOT, 'src') } },
  test: {
    name: 'mutation',
    include: [...testFiles().keys()],
    globalSetup: ['supabase/tests/mutation/database-server.ts'],
    setupFiles: ['local/testing/own-database.ts'],
    runner: 'supabase/tests/mutation/mutating-runner.ts',
    includeTaskLocation: true,
    sequence: { sequencer: MostFirst },
    // Slowness of a busy machine must not count as noticed.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
