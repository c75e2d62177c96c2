import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { codeOf, UserError } from './user-error.ts';

/** How many connections may be pending before the program accepts them; the system's own limit may be lower. */
const BACKLOG = 4096;
/**
 * How long a connection stays open without a request. Longer than clients keep one: a server that is busy for a while would otherwise close
 * it just as the next request arrives.
 */
const KEEP_ALIVE_MS = 75_000;

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Serves an app on 127.0.0.1. The returned function closes it, including open connections; those taken by `onUpgrade` must be closed
 * before.
 */
export function listen(app: Hono, port: number, onUpgrade?: Upgrade): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const serverOptions = { keepAliveTimeout: KEEP_ALIVE_MS };
    const server = createAdaptorServer({ fetch: app.fetch, hostname: '127.0.0.1', serverOptions });
    server.listen({ port, host: '127.0.0.1', backlog: BACKLOG }, () =>
      resolve(async () => {
        const closed = new Promise((done) => server.close(done));
        if (isHttp1(server)) server.closeAllConnections();
        await closed;
      }),
    );
    if (onUpgrade) server.on('upgrade', onUpgrade);
    server.once('error', (error) =>
      reject(
        codeOf(error) === 'EADDRINUSE' ? new UserError(`Port ${port} was taken in the meantime; start again.`) : error,
      ),
    );
  });
}

const isHttp1 = (server: object): server is Server => 'closeAllConnections' in server;
