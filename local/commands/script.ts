import { supervise } from '../supervise.ts';
import { Interrupted, run } from '../test/run.ts';
import { makeWorkDirectory } from '../test/work-directory.ts';

/**
 * Runs a script of the project on the project's own Node, such as a benchmark; ending this process ends everything that
 * the script has started.
 */
export async function scriptCommand(args: string[]): Promise<number> {
  const interruption = new AbortController();
  const { ended } = supervise();
  void ended.then(() => interruption.abort(new Interrupted()));
  const { path: directory, records, remove } = await makeWorkDirectory();
  try {
    return await run('node', args, { signal: interruption.signal, directory, records, output: process.stdout });
  } catch (error) {
    if (error instanceof Interrupted) return await ended;
    throw error;
  } finally {
    remove();
  }
}
