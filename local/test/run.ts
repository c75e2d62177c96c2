import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROJECT_ROOT, program } from '../paths.ts';

const KILL_AFTER_MS = 10_000;

/** Thrown when the developer interrupts `npm test`. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

/**
 * Runs a program of node_modules/.bin with its output shown; resolves to the exit code. It gets a process group of its
 * own, so that an interruption ends whatever it started too.
 */
export async function run(name: string, args: string[], options: RunOptions): Promise<number> {
  const { signal, directory, env } = options;
  signal.throwIfAborted();
  const child = spawn(program(name), args, {
    cwd: PROJECT_ROOT,
    env: { ...process.env, TMPDIR: directory, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const killGroup = (killSignal: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, killSignal);
    } catch {
      // All of them have ended.
    }
  };
  let force: NodeJS.Timeout | undefined;
  const interrupt = () => {
    killGroup('SIGINT');
    force = setTimeout(() => killGroup('SIGKILL'), KILL_AFTER_MS);
  };
  signal.addEventListener('abort', interrupt);
  try {
    const [code] = await once(child, 'close');
    signal.throwIfAborted();
    return typeof code === 'number' ? code : 1;
  } finally {
    clearTimeout(force);
    killGroup('SIGKILL');
    signal.removeEventListener('abort', interrupt);
  }
}

export interface RunOptions {
  signal: AbortSignal;
  /** Where the program puts its temporary files. */
  directory: string;
  env?: NodeJS.ProcessEnv;
}
