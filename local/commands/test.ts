import type { Writable } from 'node:stream';
import { messageOf, UserError } from '../process/user-error.ts';
import { supervise } from '../supervise.ts';
import { checkOutcome, type Outcome, sum } from '../test/outcome.ts';
import { BufferedOutput } from '../test/output.ts';
import { Interrupted } from '../test/run.ts';
import { stackUnderTest } from '../test/stack-under-test.ts';
import { STEPS, type Step, type StepContext } from '../test/steps.ts';
import { formatFailures, formatTable, type StepResult } from '../test/table.ts';
import { makeWorkDirectory } from '../test/work-directory.ts';

/** Steps that run concurrently. One keeps the processor busy; the others mostly wait for servers and programs to start. */
const LANES = 3;

export interface TestOptions {
  /** A step's name and arguments for the step's own program; nothing = all steps. */
  args: string[];
  /** The nightly run: every journey at both sizes, the long versions and the mutation runs. */
  isFull: boolean;
}

/**
 * `npm test`: every check and test; a failed step does not stop the next. Each step that needs a stack gets a new one,
 * so that steps do not affect each other.
 */
export async function testCommand({ args: [name, ...extraArguments], isFull }: TestOptions): Promise<number> {
  const all = STEPS.filter(({ isLong = false }) => isFull || !isLong);
  const steps = name === undefined ? all : STEPS.filter((step) => step.name === name);
  if (steps.length === 0) throw new UserError(`There is no step "${name}"; choose from ${names(STEPS)}.`);
  if (isFull) process.env.QUESTBOARD_FULL = '1';

  const interruption = new AbortController();
  const { ended } = supervise();
  let exitCode: number | undefined;
  void ended.then((code) => {
    exitCode = code;
    interruption.abort(new Interrupted());
  });

  const { signal } = interruption;
  const work = await makeWorkDirectory();
  const results: StepResult[] = [];
  const runAll = async (waiting: Step[], output: () => Writable) => {
    for (let step = waiting.shift(); step && !signal.aborted; step = waiting.shift()) {
      const own = output();
      const started = performance.now();
      const context = { signal, directory: work.path, records: work.records, extraArguments, output: own };
      const outcome = await runStep(step, context);
      if (own instanceof BufferedOutput) own.print();
      results.push({ name: step.name, outcome, seconds: (performance.now() - started) / 1000 });
    }
  };
  try {
    // The output of parallel steps is printed as a whole when each ends.
    const isShared = steps.length > 1;
    const own = () => (isShared ? new BufferedOutput() : process.stdout);
    const sideBySide = steps.filter(({ isAlone = false }) => !isAlone);
    await Promise.all(Array.from({ length: LANES }, () => runAll(sideBySide, own)));
    await runAll(
      steps.filter(({ isAlone = false }) => isAlone),
      () => process.stdout,
    );
  } finally {
    work.remove();
  }
  if (exitCode !== undefined) return exitCode;
  const { passed, failed } = sum(results.map(({ outcome }) => outcome));
  const parts = [formatFailures(results), formatTable(results), `${passed} passed, ${failed} failed`];
  console.log(`\n${parts.filter(Boolean).join('\n\n')}`);
  return failed === 0 ? 0 : 1;
}

type RunContext = Omit<StepContext, 'envFile' | 'log'>;

async function runStep(step: Step, context: RunContext): Promise<Outcome> {
  const log = (text: string) => void context.output.write(`${text}\n`);
  log(`\n━━ ${step.title} (${step.name})`);
  const stack = stackUnderTest(log);
  try {
    return await step.run({ ...context, log, envFile: stack.envFile });
  } catch (error) {
    if (!context.signal.aborted) log(error instanceof UserError ? error.message : formatError(error));
    return checkOutcome(false);
  } finally {
    await stack.stop();
  }
}

const formatError = (error: unknown): string => (error instanceof Error && error.stack) || messageOf(error);

const names = (steps: Step[]): string => steps.map((step) => step.name).join(', ');
