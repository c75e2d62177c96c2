import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import { testFiles } from './test-files.ts';

/** The database tests with what the mutation run needs: see mutating-runner.ts and measure-coverage.ts. */
export default defineConfig({
  root: PROJECT_ROOT,
  resolve: { alias: { '@': join(PROJECT_ROOT, 'src') } },
  test: {
    name: 'mutation',
    include: [...testFiles().keys()],
    globalSetup: ['local/testing/database-server.ts'],
    setupFiles: [
      'local/testing/own-database.ts',
      ...(process.env.MUTATION_COVERAGE ? ['supabase/tests/mutation/measure-coverage.ts'] : []),
    ],
    ...(!process.env.MUTATION_COVERAGE && { runner: 'supabase/tests/mutation/mutating-runner.ts' }),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
