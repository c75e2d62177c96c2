import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { listen } from '../process/listen.ts';
import { type DenoProcess, startDenoProcess } from './deno-process.ts';
import type { FunctionsEnvironment } from './environment.ts';
import { functionNames } from './function-names.ts';

export interface FunctionsOptions {
  env: FunctionsEnvironment;
  /** One line of a function's output; request logs are JSON. */
  onLog?: (name: string, line: string) => void;
  /** A function did not start, or its process ended unexpectedly; `lastLines` says why. */
  onExit?: (name: string, lastLines: string[]) => void;
}

export interface Functions {
  /** Base URL: a function answers at `${url}/<name>`, the path that it also sees on hosted Supabase. */
  url: string;
  /** Process ids of the functions that have been called so far. */
  pids(): Record<string, number>;
  close(): Promise<void>;
}

/**
 * Serves the files of `supabase/functions` on Deno behind one router, each function in its own process that starts on the first call, as on
 * the hosted platform.
 */
export async function startFunctions(options: FunctionsOptions): Promise<Functions> {
  const processes = new FunctionProcesses(options);
  const { url, close } = await listen(createRouter(processes), 0);
  return {
    url,
    pids: () => processes.pids(),
    close: async () => {
      await Promise.all([close(), processes.close()]);
    },
  };
}

/** The requested processes, by the name of their function. */
class FunctionProcesses {
  readonly #options: FunctionsOptions;
  readonly #names = new Set(functionNames());
  readonly #starts = new Map<string, Promise<DenoProcess>>();
  readonly #pids: Record<string, number> = {};

  constructor(options: FunctionsOptions) {
    this.#options = options;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Starts the function unless it has been started before. */
  async get(name: string): Promise<DenoProcess> {
    const start = this.#starts.get(name) ?? this.#start(name);
    this.#starts.set(name, start);
    return start;
  }

  pids(): Record<string, number> {
    return { ...this.#pids };
  }

  async close(): Promise<void> {
    const starts = await Promise.allSettled(this.#starts.values());
    await Promise.all(starts.map((start) => (start.status === 'fulfilled' ? start.value.close() : undefined)));
  }

  async #start(name: string): Promise<DenoProcess> {
    const { env, onLog, onExit } = this.#options;
    const process = await startDenoProcess({
      name,
      env,
      onLog: onLog ?? (() => undefined),
      onExit: onExit ?? (() => undefined),
    });
    this.#pids[name] = process.pid;
    return process;
  }
}

function createRouter(processes: FunctionProcesses): Hono {
  const router = new Hono();
  router.all('/:name/*', (context) => forward(context.req.raw, context.req.param('name')));
  router.all('/:name', (context) => forward(context.req.raw, context.req.param('name')));

  async function forward(request: Request, name: string): Promise<Response> {
    if (!processes.has(name))
      return Response.json({ code: 'NOT_FOUND', message: 'Function not found' }, { status: 404 });
    const { pathname, search } = new URL(request.url);
    try {
      const target = await processes.get(name);
      return await proxy(`${target.url}${pathname}${search}`, { raw: request, redirect: 'manual' });
    } catch {
      return Response.json({ code: 'WORKER_ERROR', message: `Function ${name} does not answer` }, { status: 502 });
    }
  }
  return router;
}
