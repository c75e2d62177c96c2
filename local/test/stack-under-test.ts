import { startEphemeralStack } from '../ephemeral-stack.ts';
import { probeFreePort } from '../process/ports.ts';
import { messageOf } from '../process/user-error.ts';
import type { Stack } from '../stack.ts';

export interface StackUnderTest {
  /** Starts the stack on first use; resolves to the path of its env file. Rejects, each time, when it could not start. */
  envFile(): Promise<string>;
  stop(): Promise<void>;
}

/** A second build of the site, served by the tests themselves, has another origin, which the stack must know when it starts. */
async function allowOtherSite(): Promise<void> {
  const port = String(await probeFreePort());
  process.env.QUESTBOARD_OTHER_SITE_PORT = port;
  process.env.QUESTBOARD_ALLOWED_ORIGINS = `http://127.0.0.1:${port},http://localhost:${port}`;
}

/**
 * A new stack with demo data. When QUESTBOARD_TEST_ENV names the env file of a running stack, that one is used instead and
 * left alone.
 */
export function stackUnderTest(log: (text: string) => void): StackUnderTest {
  const given = process.env.QUESTBOARD_TEST_ENV;
  if (given) return { envFile: async () => given, stop: async () => undefined };

  let starting: Promise<Stack> | undefined;
  return {
    envFile: async () => {
      starting ??= allowOtherSite().then(() =>
        startEphemeralStack({
          onProgress: log,
          onFailure: ({ name, lastLines }) =>
            log(`${name} ended unexpectedly. Its last lines:\n${lastLines.join('\n')}`),
        }),
      );
      return (await starting).envFile;
    },
    stop: async () => {
      const stack = await starting?.catch(() => undefined);
      await stack?.stop().catch((error: unknown) => log(`The stack did not stop cleanly: ${messageOf(error)}`));
    },
  };
}
