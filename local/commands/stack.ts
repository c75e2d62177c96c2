import { formatEnv } from '../env.ts';
import { LOCAL_DIRECTORY } from '../paths.ts';
import { startStack } from '../stack.ts';
import { supervise } from '../supervise.ts';

/** `npm run stack`: the backend alone. Prints its KEY=value lines (nothing else goes to stdout) and stays. */
export async function stackCommand(flags: { isFresh: boolean; isSeeded: boolean }): Promise<number> {
  const { ended, onFailure } = supervise();

  const stack = await startStack({
    directory: LOCAL_DIRECTORY,
    ...flags,
    ports: 'remembered',
    isDurable: true,
    onProgress: (line) => console.error(line),
    onFailure,
  });
  process.stdout.write(formatEnv(stack.env));
  const code = await ended;
  await stack.stop();
  return code;
}
