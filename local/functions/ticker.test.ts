import { Hono } from 'hono';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../process/listen.ts';
import { startTicker } from './ticker.ts';

it('calls the outbox worker with its secret repeatedly, also after failures, until it is stopped', async () => {
  const keys: (string | undefined)[] = [];
  const app = new Hono();
  app.post('/deliver-events', (context) => {
    keys.push(context.req.header('authorization'));
    return context.text('down', 500);
  });
  const { url: functionsUrl, close } = await listen(app, 0);
  onTestFinished(close);
  const start = (secret: string) => startTicker({ functionsUrl, secret, functionName: 'deliver-events', tickMs: 5 });
  const isOf = (secret: string) => (key: string | undefined) => key === `Bearer ${secret}`;

  const ticker = start('first_secret');
  await expect.poll(() => keys.filter(isOf('first_secret')).length).toBeGreaterThanOrEqual(3);
  await ticker.stop();

  // While another one goes on, the stopped one calls no more. A call that stopping has interrupted may still arrive at first.
  const other = start('other_secret');
  onTestFinished(() => other.stop());
  const otherHasCalled = (times: number) =>
    expect.poll(() => keys.filter(isOf('other_secret')).length).toBeGreaterThanOrEqual(times);
  await otherHasCalled(3);
  const calls = keys.filter(isOf('first_secret')).length;
  await otherHasCalled(13);
  expect(keys.filter(isOf('first_secret'))).toHaveLength(calls);
});
