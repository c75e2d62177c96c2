import { messageOf, UserError } from '../process/user-error.ts';
import { supervise } from '../supervise.ts';
import { checkOutcome, type Outcome, sum } from '../test/outcome.ts';
import { Interrupted } from '../test/run.ts';
import { stackUnderTest } from '../test/stack-under-test.ts';
import { STEPS, type Step, type StepContext } from '../test/steps.ts';
import { makeWorkDirectory } from '../test/work-directory.ts';

/**
 * `npm test`: every check and test, one after the other; a failed step does not hide the next. Each step that needs a stack
 * gets a new one, so that none meets what another left behind.
 * `npm test -- database` runs one step, and what follows the name goes to the step's own program.
 */
export async function testCommand([name, ...extraArguments]: string[]): Promise<number> {
  const steps = name === undefined ? STEPS : STEPS.filter((step) => step.name === name);
  if (steps.length === 0) throw new UserError(`There is no step "${name}"; choose from ${names(STEPS)}.`);

  const interruption = new AbortController();
  const { ended } = supervise();
  let exitCode: number | undefined;
  void ended.then((code) => {
    exitCode = code;
    interruption.abort(new Interrupted());
  });

  const { signal } = interruption;
  const work = makeWorkDirectory();
  const outcomes: Outcome[] = [];
  try {
    for (const step of steps) {
      outcomes.push(await runStep(step, { signal, directory: work.path, extraArguments }));
      if (signal.aborted) break;
    }
  } finally {
    work.remove();
  }
  const { passed, failed, flaky } = sum(outcomes);
  if (exitCode !== undefined) return exitCode;
  if (flaky > 0) console.log(`\n${flaky} flaky (passed on the second try)`);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function runStep(step: Step, context: Omit<StepContext, 'envFile'>): Promise<Outcome> {
  console.log(`\n━━ ${step.title} (${step.name})`);
  const stack = stackUnderTest();
  try {
    return await step.run({ ...context, envFile: stack.envFile });
  } catch (error) {
    if (!context.signal.aborted) console.error(error instanceof UserError ? messageOf(error) : error);
    return checkOutcome(false);
  } finally {
    await stack.stop();
  }
}

const names = (steps: Step[]): string => steps.map((step) => step.name).join(', ');
