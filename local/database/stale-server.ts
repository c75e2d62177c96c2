import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../process/orphans.ts';
import { commandOf } from '../process/process-identity.ts';

/**
 * After a `kill -9` of the stack its Postgres may still run, or be dead and have left its postmaster.pid. The caller
 * holds the directory's lock, so any server that uses this data directory is such a leftover and is stopped.
 */
export async function clearStaleServer(directory: string): Promise<void> {
  const file = join(directory, 'postmaster.pid');
  let pid: number;
  try {
    pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  } catch {
    return;
  }
  // The pid may have been reused; only a command that names this directory is our server.
  if (commandOf(pid)?.includes(directory)) await endProcess(pid);
  rmSync(file, { force: true });
}
