/** The process that `startGuardian` starts: `guardian-process.ts DIRECTORY [--remove]`. Waits for the end of its standard input. */
import { existsSync } from 'node:fs';
import { removeState } from '../ephemeral-directory.ts';
import { endOrphans } from './orphans.ts';

const [directory = '', flag] = process.argv.slice(2);

// Ignores signals from the terminal: the command stops its parts in order, and this process ends last.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.stdin.resume();
process.stdin.on('end', async () => {
  if (!existsSync(directory)) return;
  await endOrphans(directory);
  if (flag === '--remove') removeState(directory);
});
