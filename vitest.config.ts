import { defineConfig, mergeConfig } from 'vitest/config';
import viteConfig from './vite.config.ts';

const client = {
  globals: true,
  setupFiles: ['src/lib/testing/setup.ts'],
  testTimeout: 20_000,
  restoreMocks: true,
  unstubGlobals: true,
};

/** Files that replace modules or load them again: what they load must not meet the modules of others. */
const ISOLATED = 'src/**/*.isolated.test.tsx';

/** Their files share a stack, and some change what holds for all of it, such as the outbox or a policy. */
const onOneStack = { globalSetup: ['local/testing/global-setup.ts'], fileParallelism: false };

/** Rules and queries; components; SQL and PostgREST; the embedded stack itself; edge functions. */
export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      // One core fewer unless told otherwise; on two that would be one file at a time, mostly waiting for servers.
      maxWorkers: '100%',
      projects: [
        {
          extends: true,
          test: {
            ...client,
            name: 'unit',
            // Few of these need a document, which takes longer to make than most of them to run; those that do say so.
            environment: 'node',
            isolate: false,
            include: ['src/**/*.test.ts', 'vite/**/*.test.ts', 'lint/**/*.test.ts'],
            // The contrast test reads the tokens; all other styles stay out of the tests.
            css: { include: /tokens\.css/ },
          },
        },
        {
          extends: true,
          test: {
            ...client,
            name: 'components',
            environment: 'jsdom',
            // One document and one copy of each module for all files: making them anew took a third of the time.
            isolate: false,
            include: ['src/**/*.test.tsx'],
            exclude: [ISOLATED],
          },
        },
        {
          extends: true,
          test: {
            ...client,
            name: 'components-isolated',
            environment: 'jsdom',
            include: [ISOLATED],
            // After the others: a file with a process of its own between two of them would end the one that these share.
            sequence: { groupOrder: 1 },
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
            ...onOneStack,
            include: ['local/**/*.test.ts'],
            testTimeout: 60_000,
            hookTimeout: 120_000,
          },
        },
        {
          extends: true,
          test: {
            name: 'functions',
            ...onOneStack,
            include: ['supabase/functions/**/*.test.ts'],
            testTimeout: 30_000,
            hookTimeout: 60_000,
          },
        },
      ],
    },
  }),
);
