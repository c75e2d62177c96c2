import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, UserError } from './user-error.ts';

const KEPT_LINES = 20;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 8_000;
const READY_INTERVAL_MS = 10;
const LAST_LINES_MS = 1_000;

/** A part of the stack ended by itself. `lastLines` is the end of its log. */
export interface PartFailure {
  name: string;
  lastLines: string[];
}

export interface ChildOptions {
  /** Display name of the part: "PostgreSQL", "the app's dev server". */
  name: string;
  command: string;
  args?: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Run as another user (Postgres refuses to run as root). */
  user?: { uid: number; gid: number };
  /** The stop signal; SIGTERM by default. */
  stopSignal?: NodeJS.Signals;
  onLine?: (line: string) => void;
  /** Called as soon as the process exists, long before it is ready, so that it can be recorded for clean-up. */
  onSpawn?: (pid: number) => void;
  /** Polled every few milliseconds until it returns true; `startChild` resolves then. */
  isReady: () => boolean | Promise<boolean>;
  /** Called when it ends after it was ready and without `stop()`. */
  onFailure: (failure: PartFailure) => void;
}

export interface Child {
  pid: number;
  lastLines: string[];
  /** Stops it, kills it after 8 s; resolves when it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts a program whose life belongs to this process. It gets a process group of its own, so that Ctrl-C in a terminal
 * reaches only the supervisor, which then stops the parts in order; its stdin is a pipe that closes when we die.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const child = spawn(options.command, options.args ?? [], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: options.env ?? process.env,
    cwd: options.cwd,
    ...options.user,
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new UserError(`${options.name} could not start: ${messageOf(error)}`);
  }
  const supervised = supervise(child, options);
  options.onSpawn?.(supervised.pid);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await options.isReady())) {
    if (supervised.hasEnded() || Date.now() > deadline) {
      await supervised.stop();
      throw new UserError(`${options.name} could not start. Its last lines:\n${supervised.lastLines.join('\n')}`);
    }
    await sleep(READY_INTERVAL_MS);
  }
  supervised.watch();
  return supervised;
}

function supervise(child: ChildProcess, options: ChildOptions) {
  const lastLines: string[] = [];
  let isWatched = false;
  const keep = (line: string) => {
    lastLines.push(line);
    if (lastLines.length > KEPT_LINES) lastLines.shift();
    options.onLine?.(line);
  };
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on('line', keep);
  child.stdin?.on('error', () => undefined);

  // "close" comes after the last line of output, "exit" may come before it. A process that the child has left behind may hold the
  // output open for long, so the last lines get a second.
  const ended = Promise.race([once(child, 'close'), once(child, 'exit').then(() => sleep(LAST_LINES_MS))]).then(() => {
    if (isWatched) options.onFailure({ name: options.name, lastLines });
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    lastLines,
    hasEnded,
    watch: () => {
      isWatched = true;
    },
    stop: async () => {
      isWatched = false;
      if (!hasEnded()) child.kill(options.stopSignal ?? 'SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(force);
    },
  };
}
