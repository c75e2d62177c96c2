import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { PROJECT_ROOT, program } from '../paths.ts';
import type { ProcessRecords } from '../process/orphans.ts';

const KILL_AFTER_MS = 10_000;

/** Thrown when the developer interrupts `npm test`. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

export interface RunOptions {
  signal: AbortSignal;
  /** The program's directory for temporary files. */
  directory: string;
  /** Ends the program too when this process is killed. */
  records: ProcessRecords;
  /** Receives the program's output. */
  output: Writable;
  env?: NodeJS.ProcessEnv;
}

/**
 * Runs a program of node_modules/.bin; resolves to the exit code. It gets a process group of its own, so that an interruption
 * ends whatever it started too.
 */
export async function run(name: string, args: string[], options: RunOptions): Promise<number> {
  const { signal, directory, records, output, env } = options;
  signal.throwIfAborted();
  const child = spawn(program(name), args, {
    cwd: PROJECT_ROOT,
    env: {
      ...process.env,
      FORCE_COLOR: process.stdout.isTTY ? '1' : undefined,
      TMPDIR: directory,
      // Hundreds of short processes load the same modules: each is compiled once per run.
      NODE_COMPILE_CACHE: join(directory, 'compile-cache'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'close');
  const record = `${name} ${child.pid}`;
  if (child.pid !== undefined) records.add(record, child.pid);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.write(chunk));
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
    const [code] = await ended;
    signal.throwIfAborted();
    return typeof code === 'number' ? code : 1;
  } finally {
    clearTimeout(force);
    killGroup('SIGKILL');
    records.remove(record);
    signal.removeEventListener('abort', interrupt);
  }
}
