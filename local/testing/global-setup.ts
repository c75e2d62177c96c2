import type { TestProject } from 'vitest/node';
import { readEnvFile, type StackEnv } from '../env.ts';
import { startEphemeralStack } from '../ephemeral-stack.ts';

/**
 * Gives the test projects a stack: the one whose env file `QUESTBOARD_TEST_ENV` names (`npm test` starts one for all),
 * otherwise a throw-away one for this run. Tests find its addresses and keys in `process.env`, see env.ts.
 */
export default async function setup(_project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const envFile = process.env.QUESTBOARD_TEST_ENV;
  if (envFile) {
    provide(readEnvFile(envFile));
    return undefined;
  }
  const stack = await startEphemeralStack();
  provide(stack.env);
  return stack.stop;
}

/** Vitest's workers inherit this process's environment. */
function provide(env: StackEnv): void {
  Object.assign(process.env, env);
}
