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
      include: ['src/**/*.test.ts'],
      // They read the text of the sources, in which Stryker has written all mutants at once.
      exclude: ['src/lib/stale-queries-sources.test.ts', 'src/lib/error-codes.test.ts'],
      setupFiles: ['src/lib/testing/setup.ts'],
      restoreMocks: true,
      css: { include: /tokens\.css/ },
    },
  }),
);
