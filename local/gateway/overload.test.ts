import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../process/listen.ts';
import { REST_CONNECTIONS } from '../rest/postgrest.ts';
import type { Limits } from './forward.ts';
import { createGateway } from './gateway.ts';

const APP = 'http://app.test';
const LIMITS: Limits = { running: 2, waiting: 2, waitMs: 60_000, answerMs: 60_000 };

/** A server that responds only when told to. */
async function holdingServer() {
  const seen: string[] = [];
  const held: ServerResponse[] = [];
  let isOpen = false;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume();
    if (isOpen) response.end('[]');
    else held.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = () => {
    isOpen = true;
    for (const response of held.splice(0)) response.end('[]');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, open };
}

/** A gateway in front of two such servers. */
async function busyGateway(limits: Partial<Limits> = LIMITS) {
  const [rest, functions] = await Promise.all([holdingServer(), holdingServer()]);
  const asked = { identify: 0 };
  const storage = new Hono().get('/status', (context) => context.text('stored'));
  const gateway = createGateway({
    restUrl: rest.url,
    functionsUrl: functions.url,
    storage,
    identify: async () => {
      asked.identify += 1;
      return { role: 'anon', claims: {} };
    },
    origins: [APP],
    sites: {},
    limits,
  });
  const { url, close } = await listen(gateway, 0);
  onTestFinished(close);
  const call = (path: string, init?: RequestInit) => fetch(`${url}${path}`, { headers: { origin: APP }, ...init });
  /** Calls that reach the server at once or after others have ended, in order. */
  const fill = async () => {
    const calls: Promise<Response>[] = [];
    for (const id of [1, 2, 3, 4]) {
      calls.push(call(`/rest/v1/quests?id=eq.${id}`));
      if (id <= LIMITS.running) await expect.poll(() => rest.seen).toHaveLength(id);
    }
    // What has arrived on the same event loop before this call is queued when this call is answered.
    await call('/auth/v1/settings');
    return calls;
  };
  return { rest, functions, asked, call, fill };
}

it('refuses at once when the queue is full, readable by our pages, without calling the server', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  const { rest, call, fill } = await busyGateway();
  const calls = await fill();
  for (const init of [{}, { method: 'POST', body: 'x'.repeat(500_000) }]) {
    const refused = await call('/rest/v1/rpc/refused', { headers: { origin: APP }, ...init });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toEqual({
      code: 'overloaded',
      message: 'Too many calls are waiting already',
      details: null,
      hint: null,
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('access-control-allow-origin')).toBe(APP);
    expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after');
    expect(refused.headers.get('sb-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect(rest.seen).toEqual(['GET /quests?id=eq.1', 'GET /quests?id=eq.2']);
  expect(errors).not.toHaveBeenCalled();

  rest.open();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await call('/rest/v1/after')).status).toBe(200);
  expect(rest.seen.slice(2)).toEqual(['GET /quests?id=eq.3', 'GET /quests?id=eq.4', 'GET /after']);
});

it('refuses before it authenticates or reads a body, but answers the preflight, without which no page could read the refusal', async () => {
  const { rest, functions, asked, call, fill } = await busyGateway();
  const calls = await fill();
  const known = asked.identify;
  expect((await call('/rest/v1/rpc/refused')).status).toBe(503);
  // The response comes while the request body is still being sent.
  const endless = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) });
  const unread = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
  expect((await call('/rest/v1/rpc/refused', unread)).status).toBe(503);
  expect(asked.identify).toBe(known);
  const asking = { origin: APP, 'access-control-request-method': 'POST' };
  const preflight = await call('/rest/v1/rpc/refused', { method: 'OPTIONS', headers: asking });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(APP);
  rest.open();
  functions.open();
  expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
});

it('calls wait for a database connection here, in order, and not in PostgREST, which serves them in any order', async () => {
  const { rest, call } = await busyGateway({});
  const paths = Array.from({ length: REST_CONNECTIONS + 5 }, (_, index) => `/rest/v1/quests?id=eq.${index}`);
  const calls: Promise<Response>[] = [];
  for (const path of paths) {
    calls.push(call(path));
    // One after the other, because separate connections may be read in another order.
    await call('/auth/v1/settings');
  }
  await expect.poll(() => rest.seen).toHaveLength(REST_CONNECTIONS);
  rest.open();
  expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
  expect(rest.seen.slice(REST_CONNECTIONS)).toEqual(
    paths.slice(REST_CONNECTIONS).map((path) => path.replace('/rest/v1', 'GET ')),
  );
});

it('answers every call of a burst: as many as fit are served, all others are told to retry', async () => {
  const { rest, call, fill } = await busyGateway();
  const first = await fill();
  const rush = await Promise.all(Array.from({ length: 300 }, () => call('/rest/v1/rush')));
  expect(new Set(rush.map(({ status }) => status))).toEqual(new Set([503]));
  rest.open();
  expect((await Promise.all(first)).every(({ ok }) => ok)).toBe(true);
  expect(rest.seen).toHaveLength(4);
});

it('storage, functions and settings respond while the database is overloaded; functions have their own limit', async () => {
  const { rest, functions, call, fill } = await busyGateway();
  const calls = await fill();
  expect(await (await call('/storage/v1/status')).text()).toBe('stored');
  expect((await call('/auth/v1/settings')).status).toBe(200);
  functions.open();
  expect((await call('/functions/v1/send-email', { method: 'POST' })).status).toBe(200);
  expect(rest.seen).toHaveLength(2);
  rest.open();
  expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
});

it('a refusal in place of a function can be read only by our pages', async () => {
  const { functions, call } = await busyGateway({ ...LIMITS, running: 1, waiting: 1 });
  const ask = (origin: string) => call('/functions/v1/send-email', { method: 'POST', headers: { origin } });
  const first = ask(APP);
  await expect.poll(() => functions.seen).toHaveLength(1);
  const second = ask(APP);
  await call('/auth/v1/settings');
  const [own, foreign] = await Promise.all([ask(APP), ask('https://evil.example.com')]);
  expect([own.status, foreign.status]).toEqual([503, 503]);
  expect(own.headers.get('access-control-allow-origin')).toBe(APP);
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  functions.open();
  expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
});

it('a call that has waited too long is refused too, and is not forwarded afterwards', async () => {
  const { rest, call } = await busyGateway({ ...LIMITS, running: 1, waitMs: 100 });
  const running = call('/rest/v1/running');
  await expect.poll(() => rest.seen).toHaveLength(1);
  expect((await call('/rest/v1/waiting', { method: 'POST', body: '{}' })).status).toBe(503);
  rest.open();
  // However long the first one took: it was no longer waiting.
  expect((await running).status).toBe(200);
  // A busy machine may take longer than this limit to notice that there is room.
  await expect.poll(async () => (await call('/rest/v1/next')).status).toBe(200);
  expect(rest.seen).toEqual(['GET /running', 'GET /next']);
});

it('a call that is not answered in time is ended, as on the platform, and makes room for the next', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  const { rest, call } = await busyGateway({ ...LIMITS, running: 1, answerMs: 100 });
  const slow = call('/rest/v1/slow');
  await expect.poll(() => rest.seen).toHaveLength(1);
  const next = call('/rest/v1/next');
  expect((await Promise.all([slow, next])).map(({ status }) => status)).toEqual([504, 504]);
  expect(rest.seen).toEqual(['GET /slow', 'GET /next']);
  rest.open();
  // A busy machine may take longer than this limit for one of them.
  await expect.poll(async () => (await call('/rest/v1/quick')).status).toBe(200);
});

it('a caller who disconnects while waiting is not forwarded', async () => {
  const { rest, call } = await busyGateway({ ...LIMITS, running: 1 });
  const running = call('/rest/v1/running');
  await expect.poll(() => rest.seen).toHaveLength(1);
  const leaving = new AbortController();
  const left = call('/rest/v1/left', { signal: leaving.signal });
  await call('/auth/v1/settings');
  leaving.abort();
  await expect(left).rejects.toThrow();
  await call('/auth/v1/settings');
  rest.open();
  expect((await running).status).toBe(200);
  expect((await call('/rest/v1/next')).status).toBe(200);
  expect(rest.seen).toEqual(['GET /running', 'GET /next']);
});
