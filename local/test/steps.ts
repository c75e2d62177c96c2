import { join } from 'node:path';
import { ensureChromium } from '../browser/install-chromium.ts';
import { readEnvFile } from '../env.ts';
import { serveBuiltApp } from './app-under-test.ts';
import { argumentsFor, FOLDERS } from './client-mutation.ts';
import { checkOutcome, type Outcome, withExitCode } from './outcome.ts';
import { readPlaywrightReport, readVitestReport } from './reports.ts';
import { type RunOptions, run } from './run.ts';

export interface StepContext extends Omit<RunOptions, 'env'> {
  /** Writes a line to the step's output. */
  log(line: string): void;
  /** Env file of the stack under test, which starts on first use. */
  envFile(): Promise<string>;
  /** The developer's arguments after the step's name. */
  extraArguments: string[];
}

export interface Step {
  name: string;
  title: string;
  /** Runs after all others, because it needs the whole machine. */
  isAlone?: boolean;
  /** Not part of `npm test`, only of `npm run test:full`. */
  isLong?: boolean;
  run(context: StepContext): Promise<Outcome>;
}

/** Vitest projects that need a whole stack; `database` starts what it needs itself. */
const NEED_STACK = new Set(['stack', 'functions']);

const long = { isAlone: true, isLong: true } as const;

/**
 * Everything that `npm test` and `npm run test:full` run, three at a time and in this order: what fails in seconds first, and at last
 * what can use every core when the others have ended.
 */
export const STEPS: Step[] = [
  check('lint', 'Lint and format (Biome)', 'biome', ['check']),
  check('imports', 'Who imports whom (dependency-cruiser)', 'depcruise', ['.']),
  check('types-app', 'Types of the app', 'tsc', ['-p', 'tsconfig.json']),
  check('types-worker', 'Types of the service worker', 'tsc', ['-p', 'tsconfig.worker.json']),
  check('types-tools', 'Types of the tools and tests', 'tsc', ['-p', 'tsconfig.node.json']),
  check('types-functions', 'Types of the edge functions (Deno)', 'node', ['local/functions/check.ts']),
  check('knip', 'Unused files, exports and dependencies (Knip)', 'knip', []),
  check('knip-production', 'What only tests use (Knip)', 'knip', ['--production']),
  vitest('unit', 'Tests of rules and queries'),
  vitest('database', 'Database tests'),
  vitest('stack', 'Tests of the embedded stack'),
  vitest('functions', 'Edge function tests'),
  vitest('components', 'Component tests'),
  { name: 'browser', title: 'Browser tests', isAlone: true, run: runPlaywright },
  { name: 'mutation', title: 'Mutation of the database', ...long, run: runMutation },
  { name: 'mutation-client', title: "Mutation of the client's rules (Stryker)", ...long, run: runStryker },
];

function check(name: string, title: string, command: string, args: string[]): Step {
  return {
    name,
    title,
    run: async ({ extraArguments, ...options }) =>
      checkOutcome((await run(command, [...args, ...extraArguments], options)) === 0),
  };
}

function vitest(project: string, title: string): Step {
  return {
    name: project,
    title,
    run: async ({ extraArguments, envFile, ...options }) => {
      const report = join(options.directory, `${project}.json`);
      const args = ['run', '--project', `${project}*`, '--reporter=default', '--reporter=json'];
      const env = NEED_STACK.has(project) ? { QUESTBOARD_TEST_ENV: await envFile() } : {};
      const code = await run('vitest', [...args, `--outputFile.json=${report}`, ...extraArguments], {
        ...options,
        env,
      });
      return withExitCode(readVitestReport(report), code);
    },
  };
}

async function runPlaywright({ extraArguments, envFile, log, ...options }: StepContext): Promise<Outcome> {
  const report = join(options.directory, 'browser.json');
  const env = {
    QUESTBOARD_CHROMIUM: ensureChromium(),
    QUESTBOARD_TEST_ENV: await envFile(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  };
  const stopApp = await serveBuiltApp(readEnvFile(env.QUESTBOARD_TEST_ENV), { ...options, log });
  try {
    const args = ['test', '--reporter=list,json', ...extraArguments];
    const code = await run('playwright', args, { ...options, env });
    return withExitCode(readPlaywrightReport(report), code);
  } finally {
    await stopApp();
  }
}

/** A sample within two and a half of a nightly run's six hours; the next one continues from there. Or what the developer asks for. */
async function runMutation({ extraArguments, ...options }: StepContext): Promise<Outcome> {
  const args = extraArguments.length > 0 ? extraArguments : ['--sample', '500', '--minutes', '150'];
  return checkOutcome((await run('node', ['supabase/tests/mutation/run.ts', ...args], options)) === 0);
}

/** Folder by folder, so that an interrupted run keeps the results of completed ones; or as the developer requests. */
async function runStryker({ extraArguments, ...options }: StepContext): Promise<Outcome> {
  const runs = extraArguments.length > 0 ? [extraArguments] : FOLDERS.map(argumentsFor);
  const codes: number[] = [];
  let verdict = 0;
  for (const args of runs) {
    codes.push(await run('stryker', ['run', ...args], options));
    verdict = await run('node', ['local/test/client-mutation-report.ts'], options);
  }
  return checkOutcome(verdict === 0 && codes.every((code) => code === 0));
}
