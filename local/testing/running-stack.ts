import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvFile, type StackEnv } from '../env.ts';
import { PROJECT_ROOT } from '../paths.ts';
import { writeJsonFile } from '../process/json-file.ts';
import type { Ports } from '../process/ports.ts';

const START_TIMEOUT_MS = 60_000;

/** `npm run stack` as a separate process, for tests of its life cycle: signals, crashes, restarts. */
export interface RunningStack {
  env: StackEnv;
  process: ChildProcess;
  /** Everything that it has printed so far. */
  output(): string;
  /** Resolves to the exit code; null when a signal ended it. */
  exited: Promise<number | null>;
}

/** A state directory that the database server can use, whoever runs the tests, and whose ports are still free after a restart. */
export function makeStateDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-life-'));
  chmodSync(directory, 0o711);
  writeJsonFile(join(directory, 'ports.json'), portsOfEarlierStart());
  return directory;
}

/**
 * The usual ports of a first start could be taken by an outgoing connection of another test while the stack is down, and those below 32,000
 * by a stack that chooses its own (process/ports.ts); these cannot.
 */
function portsOfEarlierStart(): Ports {
  const app = randomInt(32_000, 32_760);
  return {
    app,
    gateway: app + 1,
    database: app + 2,
    rest: app + 3,
    restAdmin: app + 4,
    identity: app + 5,
    mail: app + 6,
    stripe: app + 7,
  };
}

export const removeStateDirectory = (directory: string): void => rmSync(directory, { recursive: true, force: true });

/** Runs the command and resolves when it has ended, for starts that are refused. */
export async function runStackCommand(directory: string, env: NodeJS.ProcessEnv = {}) {
  const { process: child, output } = spawnStack(directory, env);
  const [code] = await once(child, 'close');
  return { code, output: output() };
}

/** Resolves when the stack is up. Throws with its output when it ends before. */
export async function startStackProcess(directory: string, env: NodeJS.ProcessEnv = {}): Promise<RunningStack> {
  const { process: child, output } = spawnStack(directory, env);
  const exited = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => {
      if (output().includes('APP_URL=')) resolve();
    });
  });
  const ended = exited.then((code) => {
    throw new Error(`The stack ended with code ${code}:\n${output()}`);
  });
  // It may end later; that is what the tests are about.
  ended.catch(() => undefined);
  const timeout = setTimeout(() => child.kill('SIGTERM'), START_TIMEOUT_MS);
  await Promise.race([ready, ended]);
  clearTimeout(timeout);
  return { env: readEnvFile(join(directory, 'env')), process: child, output, exited };
}

function spawnStack(directory: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'local/cli.ts'), 'stack', '--empty'], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, QUESTBOARD_LOCAL: directory, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const keep = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return { process: child, output: () => text };
}
