import { defineConfig, mergeConfig } from 'vitest/config';
import viteConfig from './vite.config.ts';

/** The tests that mutants of the client's rules are run against (stryker.config.json): of rules and queries, not of screens. */
export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      environment: 'node',
      isolate: false,
      globals: true,
      // What pages say of themselves (src/lib/head) is proved by what the hosts send.
      include: ['src/**/*.test.ts', 'vite/hosting/{crawling,site}.test.ts'],
      // They read the text of the sources, in which Stryker has written all mutants at once.
      exclude: ['src/lib/stale-queries-sources.test.ts', 'src/lib/error-codes.test.ts'],
      setupFiles: ['src/lib/testing/setup.ts'],
      restoreMocks: true,
      unstubGlobals: true,
      // Machines that do this are busy: what never ends is told apart by Stryker's own, shorter limit.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      css: { include: /tokens\.css/ },
    },
  }),
);
