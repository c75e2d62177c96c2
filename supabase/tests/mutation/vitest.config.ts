import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import { testFiles } from './test-files.ts';

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
    // What a busy machine makes slow must not pass for noticed.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
