import { defineConfig, mergeConfig } from 'vitest/config';
import viteConfig from './vite.config.ts';

/** Four projects: pure rules and components; SQL and PostgREST; the embedded stack itself; edge functions. */
export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'unit',
            environment: 'jsdom',
            globals: true,
            include: ['src/**/*.test.{ts,tsx}', 'vite/**/*.test.ts'],
            setupFiles: ['src/lib/testing/setup.ts'],
            testTimeout: 20_000,
            restoreMocks: true,
            // The contrast test reads the tokens; all other styles stay out of the tests.
            css: { include: /tokens\.css/ },
          },
        },
        {
          extends: true,
          test: {
            name: 'database',
            include: ['supabase/tests/**/*.test.ts'],
            globalSetup: ['local/testing/database-server.ts'],
            setupFiles: ['local/testing/own-database.ts'],
            testTimeout: 30_000,
            hookTimeout: 60_000,
          },
        },
        {
          extends: true,
          test: {
            name: 'stack',
            include: ['local/**/*.test.ts'],
            globalSetup: ['local/testing/global-setup.ts'],
            testTimeout: 60_000,
            hookTimeout: 120_000,
          },
        },
        {
          extends: true,
          test: {
            name: 'functions',
            include: ['supabase/functions/**/*.test.ts'],
            globalSetup: ['local/testing/global-setup.ts'],
            testTimeout: 30_000,
            hookTimeout: 60_000,
          },
        },
      ],
    },
  }),
);
