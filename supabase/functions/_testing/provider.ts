import { Hono } from 'hono';
import { listen } from '../../../local/process/listen.ts';

export interface Provider {
  url: string;
  /** Number of requests that arrived. */
  requests(): number;
  close(): Promise<void>;
}

/** A provider with scripted responses; `attempt` counts from 1. */
export async function startProvider(
  answer: (attempt: number, request: Request) => Promise<Response> | Response,
): Promise<Provider> {
  let requests = 0;
  const app = new Hono();
  app.all('*', (context) => {
    requests += 1;
    return answer(requests, context.req.raw);
  });
  return { ...(await listen(app, 0)), requests: () => requests };
}

/** Accepts the request and never responds. */
export const silent = (): Promise<Response> => new Promise(() => undefined);
