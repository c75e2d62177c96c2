import { join } from 'node:path';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
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

/** The database tests over a database that this server changes. */
export const changedDatabase = (globalSetup: string, options: ViteUserConfig['test'] = {}): ViteUserConfig =>
  defineConfig({
    root: PROJECT_ROOT,
    resolve: { alias: { '@': join(PROJECT_ROOT, 'src') } },
    test: {
      include: [...testFiles().keys()],
      globalSetup: [globalSetup],
      setupFiles: ['local/testing/own-database.ts'],
      // Slowness of a busy machine must not count as noticed.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      ...options,
    },
  });

/** With what the mutation run needs: see mutating-runner.ts. */
export default changedDatabase('supabase/tests/mutation/database-server.ts', {
  name: 'mutation',
  runner: 'supabase/tests/mutation/mutating-runner.ts',
  includeTaskLocation: true,
  sequence: { sequencer: MostFirst },
});
