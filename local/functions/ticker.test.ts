import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { listen } from '../process/listen.ts';
import { probeFreePort } from '../process/ports.ts';
import { startTicker } from './ticker.ts';

it('calls the outbox worker with its secret repeatedly, also after failures, until it is stopped', async () => {
  const keys: (string | undefined)[] = [];
  const app = new Hono();
  app.post('/deliver-events', (context) => {
    keys.push(context.req.header('authorization'));
    return context.text('down', 500);
  });
  const port = await probeFreePort();
  const close = await listen(app, port);
  const ticker = startTicker({
    functionsUrl: `http://127.0.0.1:${port}`,
    secret: 'cron_secret',
    functionName: 'deliver-events',
    tickMs: 5,
  });
  try {
    await expect.poll(() => keys.length).toBeGreaterThanOrEqual(3);
    expect(new Set(keys)).toEqual(new Set(['Bearer cron_secret']));
  } finally {
    await ticker.stop();
    await close();
  }
  const calls = keys.length;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(keys).toHaveLength(calls);
});
