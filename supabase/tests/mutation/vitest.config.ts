import { defineConfig } from 'vitest/config';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import { testFiles } from './test-files.ts';

/** The database tests with what the mutation run needs: see apply-mutant.ts and measure-coverage.ts. */
export default defineConfig({
  root: PROJECT_ROOT,
  test: {
    name: 'mutation',
    include: [...testFiles().keys()],
    globalSetup: ['local/testing/database-server.ts'],
    setupFiles: [
      'local/testing/own-database.ts',
      process.env.MUTATION_COVERAGE
        ? 'supabase/tests/mutation/measure-coverage.ts'
        : 'supabase/tests/mutation/apply-mutant.ts',
    ],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
