import { defineConfig, mergeConfig } from 'vitest/config';
import viteConfig from './vite.config.ts';

const client = {
  globals: true,
  setupFiles: ['src/lib/testing/setup.ts'],
  // Three steps share two processors, and a virtual machine may stand still for half a minute. The longest form took twelve seconds there.
  testTimeout: 150_000,
  restoreMocks: true,
  unstubGlobals: true,
};

/** Files that replace or reload modules, or need fresh ones: they get a process of their own. */
const ISOLATED = { components: 'src/**/*.isolated.test.tsx', database: 'supabase/tests/**/*.isolated.test.ts' };
/** After the others: an isolated file between two others would end the process that these share. */
const lastly = { sequence: { groupOrder: 1 } };

/** Each file has a database of its own on one server. */
const withOwnDatabase = {
  globalSetup: ['local/testing/database-server.ts'],
  setupFiles: ['local/testing/own-database.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** Their files share a stack, and some change what holds for all of it, such as the outbox or a policy. */
const onOneStack = { globalSetup: ['local/testing/global-setup.ts'], fileParallelism: false };

/** Rules and queries; components; SQL and PostgREST; the embedded stack itself; edge functions. */
export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      // One core fewer unless told otherwise; on two that would be one file at a time, mostly waiting for servers.
      maxWorkers: '100%',
      // As generous as the tests' own limits: on a busy machine a second is too short for what usually takes milliseconds.
      expect: { poll: { timeout: 60_000 } },
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
            exclude: [ISOLATED.components],
          },
        },
        {
          extends: true,
          test: {
            ...client,
            name: 'components-isolated',
            environment: 'jsdom',
            include: [ISOLATED.components],
            ...lastly,
          },
        },
        {
          extends: true,
          test: {
            ...withOwnDatabase,
            name: 'database',
            // Starting a process for each file took a fifth of the processor.
            isolate: false,
            include: ['supabase/tests/**/*.test.ts'],
            exclude: [ISOLATED.database],
          },
        },
        {
          extends: true,
          test: { ...withOwnDatabase, name: 'database-isolated', include: [ISOLATED.database], ...lastly },
        },
        {
          extends: true,
          test: {
            name: 'stack',
            ...onOneStack,
            include: ['local/**/*.test.ts'],
            // Three steps share two processors: a server with a migrated and seeded database took a minute there.
            testTimeout: 120_000,
            hookTimeout: 120_000,
          },
        },
        {
          extends: true,
          test: {
            name: 'functions',
            ...onOneStack,
            isolate: false,
            include: ['supabase/functions/**/*.test.ts'],
            // On a busy machine the waits for deadlines come on top of slow work.
            testTimeout: 120_000,
            hookTimeout: 120_000,
          },
        },
      ],
    },
  }),
);
