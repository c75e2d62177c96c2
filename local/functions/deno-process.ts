import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FUNCTIONS_DIRECTORY, PROJECT_ROOT, program } from '../paths.ts';
import { FUNCTION_VARIABLES, type FunctionsEnvironment, reachableHosts } from './environment.ts';

/** Where Deno keeps compiled modules, so that the second start is quick; shared by all stacks of this checkout. */
export const DENO_CACHE = join(PROJECT_ROOT, 'node_modules/.cache/deno');

/** Flags that make Deno resolve npm packages from `node_modules` and never use the network. */
export const OFFLINE_FLAGS = ['--cached-only', '--node-modules-dir=manual', '--no-lock'];

const KEPT_LINES = 20;
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 3_000;
const LISTENING = /Listening on http:\/\/127\.0\.0\.1:(\d+)\//;

export interface DenoProcess {
  pid: number;
  /** Where the function listens, without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

export interface DenoProcessOptions {
  /** Directory name below `supabase/functions`. */
  name: string;
  env: FunctionsEnvironment;
  onLog: (name: string, line: string) => void;
  /** Called when the process does not start or ends without `close()`, with its last log lines. */
  onExit: (name: string, lastLines: string[]) => void;
}

/** Serves one edge function as hosted Supabase does: its own process, its own permissions, `Deno.serve` of index.ts. */
export async function startDenoProcess(options: DenoProcessOptions): Promise<DenoProcess> {
  const child = spawn(program('deno'), denoArguments(options), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...options.env, ...DENO_ENVIRONMENT },
  });
  const lastLines: string[] = [];
  let closing = false;

  const port = new Promise<number>((resolve, reject) => {
    const readLine = (line: string) => {
      const listening = LISTENING.exec(line)?.[1];
      if (listening) return resolve(Number(listening));
      lastLines.push(line);
      if (lastLines.length > KEPT_LINES) lastLines.shift();
      options.onLog(options.name, line);
    };
    createInterface({ input: child.stdout }).on('line', readLine);
    createInterface({ input: child.stderr }).on('line', readLine);
    const fail = (reason: string) =>
      reject(new Error(`Edge function ${options.name} ${reason}\n${lastLines.join('\n')}`.trim()));
    child.once('error', (error) => fail(`could not start: ${error.message}`));
    // "close" comes after the last log line, "exit" may come before it.
    child.once('close', (code) => fail(`ended with code ${code}.`));
    setTimeout(() => fail(`did not listen within ${START_TIMEOUT_MS / 1000} s.`), START_TIMEOUT_MS).unref();
  });

  const close = async () => {
    closing = true;
    await stop(child);
  };

  try {
    const url = `http://127.0.0.1:${await port}`;
    child.once('close', () => {
      if (!closing) options.onExit(options.name, lastLines);
    });
    return { pid: child.pid ?? 0, url, close };
  } catch (error) {
    await close();
    options.onExit(options.name, lastLines);
    throw error;
  }
}

/** Environment of the Deno program itself. Port 0 lets the system choose, so that two stacks never collide. */
export const DENO_ENVIRONMENT = {
  DENO_DIR: DENO_CACHE,
  DENO_NO_UPDATE_CHECK: '1',
  DENO_SERVE_ADDRESS: 'tcp:127.0.0.1:0',
  NO_COLOR: '1',
};

function denoArguments({ name, env }: DenoProcessOptions): string[] {
  return [
    'run',
    ...OFFLINE_FLAGS,
    '--no-prompt',
    // These functions fetch from arbitrary hosts and check every address themselves.
    ['import-logos', 'check-task'].includes(name)
      ? '--allow-net'
      : `--allow-net=${['127.0.0.1', ...reachableHosts(env)].join(',')}`,
    // The image codecs read WebAssembly files from their packages.
    `--allow-read=${['@jsquash', '@resvg'].map((scope) => join(PROJECT_ROOT, 'node_modules', scope)).join(',')}`,
    `--allow-env=${FUNCTION_VARIABLES.join(',')}`,
    `--config=${join(FUNCTIONS_DIRECTORY, name, 'deno.json')}`,
    `--preload=${fileURLToPath(new URL('./exit-with-parent.ts', import.meta.url))}`,
    join(FUNCTIONS_DIRECTORY, name, 'index.ts'),
    // For exit-with-parent.ts.
    String(process.pid),
  ];
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(force);
}
