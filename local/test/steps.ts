import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from '../browser/install-chromium.ts';
import { readEnvFile } from '../env.ts';
import { PROJECT_ROOT } from '../paths.ts';
import { generateTypes, TYPES_FILE } from '../types-file.ts';
import { serveBuiltApp } from './app-under-test.ts';
import { checkOutcome, type Outcome, withExitCode } from './outcome.ts';
import { readPlaywrightReport, readVitestReport } from './reports.ts';
import { run } from './run.ts';

export interface StepContext {
  signal: AbortSignal;
  /** For reports and all temporary files; deleted afterwards. */
  directory: string;
  /** Env file of the stack under test. */
  envFile(): Promise<string>;
  /** What the developer put behind the step's name. */
  extraArguments: string[];
}

export interface Step {
  name: string;
  title: string;
  run(context: StepContext): Promise<Outcome>;
}

/** Everything that `npm test` runs, in this order. */
export const STEPS: Step[] = [
  check('lint', 'Lint and format (Biome)', 'biome', ['check']),
  check('types-app', 'Types of the app', 'tsc', ['-p', 'tsconfig.json']),
  check('types-tools', 'Types of the tools and tests', 'tsc', ['-p', 'tsconfig.node.json']),
  check('types-functions', 'Types of the edge functions (Deno)', 'node', ['local/functions/check.ts']),
  check('knip', 'Unused files, exports and dependencies (Knip)', 'knip', []),
  { name: 'drift', title: `Generated types (${TYPES_FILE}) fit the migrations`, run: checkDrift },
  { name: 'advisors', title: "The platform's own database lints", run: runAdvisors },
  vitest('unit', 'Unit and component tests'),
  vitest('database', 'Database tests'),
  vitest('stack', 'Tests of the embedded stack'),
  vitest('functions', 'Edge function tests'),
  { name: 'browser', title: 'Browser tests', run: runPlaywright },
];

function check(name: string, title: string, command: string, args: string[]): Step {
  return {
    name,
    title,
    run: async ({ signal, directory, extraArguments }) =>
      checkOutcome((await run(command, [...args, ...extraArguments], { signal, directory })) === 0),
  };
}

function vitest(project: string, title: string): Step {
  return {
    name: project,
    title,
    run: async ({ signal, directory, envFile, extraArguments }) => {
      const report = join(directory, `${project}.json`);
      const args = ['run', '--project', project, '--passWithNoTests', '--reporter=default', '--reporter=json'];
      const env = project === 'unit' ? {} : { QUESTBOARD_TEST_ENV: await envFile() };
      const code = await run('vitest', [...args, `--outputFile.json=${report}`, ...extraArguments], {
        signal,
        directory,
        env,
      });
      return withExitCode(readVitestReport(report), code);
    },
  };
}

async function runPlaywright({ signal, directory, envFile, extraArguments }: StepContext): Promise<Outcome> {
  const report = join(directory, 'browser.json');
  const env = {
    QUESTBOARD_CHROMIUM: ensureChromium(),
    QUESTBOARD_TEST_ENV: await envFile(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  };
  const stopApp = await serveBuiltApp(readEnvFile(env.QUESTBOARD_TEST_ENV), { signal, directory });
  try {
    const args = ['test', '--pass-with-no-tests', '--reporter=list,json', ...extraArguments];
    const code = await run('playwright', args, { signal, directory, env });
    return withExitCode(readPlaywrightReport(report), code);
  } finally {
    await stopApp();
  }
}

async function checkDrift({ envFile }: StepContext): Promise<Outcome> {
  const generated = await generateTypes(readEnvFile(await envFile()).DATABASE_URL);
  const isSame = readFileSync(join(PROJECT_ROOT, TYPES_FILE), 'utf8') === generated;
  console.log(isSame ? 'No drift.' : `${TYPES_FILE} does not fit the migrations: run npm run types and commit it.`);
  return checkOutcome(isSame);
}

async function runAdvisors({ signal, directory, envFile }: StepContext): Promise<Outcome> {
  const url = readEnvFile(await envFile()).DATABASE_URL;
  const args = ['db', 'advisors', '--level', 'warn', '--fail-on', 'warn', `--remote=${url}?sslmode=disable`];
  return checkOutcome(
    (await run('supabase', args, { signal, directory, env: { CLERK_DOMAIN: 'clerk.example.com' } })) === 0,
  );
}
