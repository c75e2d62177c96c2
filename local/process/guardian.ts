import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('./guardian-process.ts', import.meta.url));

export interface GuardianOptions {
  /** Whose recorded processes it ends (see ProcessRecords). */
  directory: string;
  /** Delete the directory too, because it is temporary. */
  isEphemeral: boolean;
}

/**
 * Starts a small process that outlives this one, even a `kill -9`: when this process is gone, it ends what is still recorded
 * in the directory. It notices by the pipe that only this process holds open. The returned function ends the guardian, for
 * when nothing is left to guard.
 */
export function startGuardian({ directory, isEphemeral }: GuardianOptions): () => void {
  const args = [ENTRY, directory, ...(isEphemeral ? ['--remove'] : [])];
  const guardian = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
  guardian.on('error', (error) => console.error(`No guardian for ${directory}: ${error.message}`));
  guardian.unref();
  // A pipe to a child is a socket; it must not keep this process alive.
  if (guardian.stdin instanceof Socket) guardian.stdin.unref();
  return () => void guardian.kill('SIGKILL');
}
