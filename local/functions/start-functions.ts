import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { type DenoProcess, FUNCTIONS_DIRECTORY, PROJECT_ROOT, startDenoProcess } from './deno-process.ts';
import type { FunctionsEnvironment } from './environment.ts';
import { functionNames } from './function-names.ts';

export interface FunctionsOptions {
  /** Port of the router on 127.0.0.1; 0 (default) takes a free one. */
  port?: number;
  env: FunctionsEnvironment;
  /** Which functions to serve; all of them unless told otherwise. */
  names?: string[];
  /** One line of a function's output; request logs are JSON. */
  onLog?: (name: string, line: string) => void;
  /** A function process ended by itself; `lastLines` says why. */
  onExit?: (name: string, lastLines: string[]) => void;
  /** Deno's cache; shared by all stacks of this checkout unless told otherwise. */
  cacheDir?: string;
}

export interface Functions {
  /** Base URL: a function answers at `${url}/<name>`, the path that it also sees on hosted Supabase. */
  url: string;
  pids: Record<string, number>;
  close(): Promise<void>;
}

/** Serves the files of `supabase/functions` on Deno, one process each, behind one router. */
export async function startFunctions(options: FunctionsOptions): Promise<Functions> {
  const processes = await startProcesses(options);
  const closeProcesses = () => Promise.all([...processes.values()].map((process) => process.close()));
  try {
    const { server, url } = await listen(createRouter(processes), options.port ?? 0);
    return {
      url,
      pids: Object.fromEntries([...processes].map(([name, { pid }]) => [name, pid])),
      close: async () => {
        server.closeAllConnections();
        await Promise.all([new Promise((resolve) => server.close(resolve)), closeProcesses()]);
      },
    };
  } catch (error) {
    await closeProcesses();
    throw error;
  }
}

async function startProcesses(options: FunctionsOptions): Promise<Map<string, DenoProcess>> {
  const names = options.names ?? functionNames(FUNCTIONS_DIRECTORY);
  const starts = await Promise.allSettled(
    names.map(async (name) => {
      const process = await startDenoProcess({
        name,
        env: options.env,
        cacheDir: options.cacheDir ?? join(PROJECT_ROOT, 'node_modules/.cache/deno'),
        onLog: options.onLog ?? (() => undefined),
        onExit: options.onExit ?? (() => undefined),
      });
      return [name, process] as const;
    }),
  );
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failure = starts.find((start) => start.status === 'rejected');
  if (failure) {
    await Promise.all(started.map(([, process]) => process.close()));
    throw failure.reason;
  }
  return new Map(started);
}

function createRouter(processes: Map<string, DenoProcess>): Hono {
  const router = new Hono();
  router.all('/:name/*', (context) => forward(context.req.raw, context.req.param('name')));
  router.all('/:name', (context) => forward(context.req.raw, context.req.param('name')));

  async function forward(request: Request, name: string): Promise<Response> {
    const target = processes.get(name);
    if (!target) return Response.json({ code: 'NOT_FOUND', message: 'Function not found' }, { status: 404 });
    const { pathname, search } = new URL(request.url);
    try {
      return await proxy(`${target.url}${pathname}${search}`, { raw: request, redirect: 'manual' });
    } catch {
      return Response.json({ code: 'WORKER_ERROR', message: `Function ${name} does not answer` }, { status: 502 });
    }
  }
  return router;
}

function listen(router: Hono, port: number): Promise<{ server: Server; url: string }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: router.fetch, hostname: '127.0.0.1', port }, (address: AddressInfo) =>
      resolve({ server: server as Server, url: `http://127.0.0.1:${address.port}` }),
    );
    server.once('error', reject);
  });
}
