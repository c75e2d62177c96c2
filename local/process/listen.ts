import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { codeOf, UserError } from './user-error.ts';

/** Serves an app on 127.0.0.1. The returned function closes it, open connections included. */
export function listen(app: Hono, port: number): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, () =>
      resolve(async () => {
        const closed = new Promise((done) => server.close(done));
        if (isHttp1(server)) server.closeAllConnections();
        await closed;
      }),
    );
    server.once('error', (error) =>
      reject(
        codeOf(error) === 'EADDRINUSE' ? new UserError(`Port ${port} was taken in the meantime; start again.`) : error,
      ),
    );
  });
}

const isHttp1 = (server: object): server is Server => 'closeAllConnections' in server;
