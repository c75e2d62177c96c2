import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { reachableHosts } from './environment.ts';
import { startFunctions } from './start-functions.ts';

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('startFunctions', () => {
  it('serves every function, 404 for others, and stops its processes', async () => {
    const functions = await startFunctions({ env: {} });
    const pids = Object.values(functions.pids);
    expect(Object.keys(functions.pids)).toEqual(
      expect.arrayContaining(['create-checkout-session', 'send-email', 'stripe-webhook']),
    );
    // Nothing is configured: a function says so instead of not starting.
    expect((await fetch(`${functions.url}/send-email/health`)).status).toBe(500);
    expect((await fetch(`${functions.url}/_shared`)).status).toBe(404);
    await functions.close();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('reports a function that dies, and answers 502 for it', async () => {
    const onExit = vi.fn();
    const functions = await startFunctions({ env: {}, onExit });
    try {
      process.kill(functions.pids['send-email'] ?? 0, 'SIGKILL');
      await vi.waitFor(() => expect(onExit).toHaveBeenCalledWith('send-email', expect.any(Array)));
      expect((await fetch(`${functions.url}/send-email/health`)).status).toBe(502);
    } finally {
      await functions.close();
    }
  });

  it('refuses a port that is taken and leaves nothing running', async () => {
    const first = await startFunctions({ env: {} });
    try {
      await expect(startFunctions({ env: {}, port: Number(new URL(first.url).port) })).rejects.toThrow('EADDRINUSE');
    } finally {
      await first.close();
    }
  });

  it('leaves no process behind when its parent is killed', async () => {
    const start = fileURLToPath(new URL('./start-functions.ts', import.meta.url));
    const script = `import { startFunctions } from ${JSON.stringify(start)};
      console.log(JSON.stringify((await startFunctions({ env: {} })).pids));`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const pids = Object.values(JSON.parse(String(line))).map(Number);
    expect(pids.every(isAlive)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 5_000 });
  });
});

it('lets functions reach the configured hosts alone', () => {
  expect(
    reachableHosts({ SUPABASE_URL: 'https://a.test/x', STRIPE_API_URL: 'http://b.test:81', MAIL_FROM: 'c' }),
  ).toEqual(['a.test', 'b.test:81']);
});
