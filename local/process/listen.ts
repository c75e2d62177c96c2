import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

export interface Listening {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Also closes open connections; those taken by `onUpgrade` must be closed before. */
  close(): Promise<void>;
}

/** Serves an app on 127.0.0.1; port 0 takes a free one. */
export function listen(app: Pick<Hono, 'fetch'>, port: number, onUpgrade?: Upgrade): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const serverOptions = { keepAliveTimeout: KEEP_ALIVE_MS };
    const server = createAdaptorServer({ fetch: app.fetch, hostname: '127.0.0.1', serverOptions });
    const close = async () => {
      const closed = new Promise((done) => server.close(done));
      if (isHttp1(server)) server.closeAllConnections();
      await closed;
    };
    server.listen({ port, host: '127.0.0.1', backlog: BACKLOG }, () =>
      resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }),
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
