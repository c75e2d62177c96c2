import type { ServerResponse } from 'node:http';
import type { Connect } from 'vite';

/** Answers requests that no file and no other middleware has answered, as the hosts' edge function does. */
export function serveSite(
  answer: (request: { method: string; url: string }) => Promise<Response>,
): Connect.NextHandleFunction {
  return async (request, response, next) => {
    try {
      const path = request.originalUrl ?? '/';
      const url = new URL(path.replace(/^\/+/, '/'), `http://${request.headers.host ?? 'localhost'}`);
      await send(await answer({ method: request.method ?? 'GET', url: url.href }), response);
    } catch (error) {
      next(error);
    }
  };
}

async function send(answered: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answered.status;
  for (const [name, value] of answered.headers) response.setHeader(name, value);
  response.end(Buffer.from(await answered.arrayBuffer()));
}
