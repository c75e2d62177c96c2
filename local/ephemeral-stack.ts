import { makeEphemeralDirectory } from './ephemeral-directory.ts';
import type { PartFailure } from './process/child.ts';
import { type Stack, startStack } from './stack.ts';
import type { StackOptions } from './stack-options.ts';

export type EphemeralOptions = Partial<
  Pick<StackOptions, 'isSeeded' | 'isBare' | 'isDurable' | 'deliversEvents' | 'onProgress' | 'onFailure'>
>;

/** A stack of its own on free ports in a temporary directory; `stop()` deletes the directory too. */
export async function startEphemeralStack(options: EphemeralOptions = {}): Promise<Stack> {
  const directory = await makeEphemeralDirectory();
  try {
    const stack = await startStack({
      isSeeded: true,
      // Tests compare stored data before and after, so no worker may change it.
      deliversEvents: false,
      isDurable: false,
      onFailure: reportFailure,
      ...options,
      directory: directory.path,
      ports: 'free',
      isEphemeral: true,
    });
    return {
      ...stack,
      stop: async () => {
        await stack.stop();
        directory.remove();
      },
    };
  } catch (error) {
    directory.remove();
    throw error;
  }
}

export function reportFailure({ name, lastLines }: PartFailure): void {
  console.error(`${name} ended unexpectedly. Its last lines:\n${lastLines.join('\n')}`);
}
