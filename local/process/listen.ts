import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { codeOf, UserError } from './user-error.ts';

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Serves an app on 127.0.0.1. The returned function closes it, open connections included; those that `onUpgrade` took are to be
 * closed before.
 */
export function listen(app: Hono, port: number, onUpgrade?: Upgrade): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, () =>
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
