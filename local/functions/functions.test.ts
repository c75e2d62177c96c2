import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { commandOf } from '../process/process-identity.ts';
import { descendantsOf } from '../testing/processes.ts';
import { reachableHosts } from './environment.ts';
import { functionNames } from './function-names.ts';
import { startFunctions } from './start-functions.ts';

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Whether the process is Deno running this function. */
const isServing = (name: string) => (pid: number) => commandOf(pid)?.includes(`functions/${name}/index.ts`) ?? false;

describe('startFunctions', () => {
  it('starts every function on its first call, answers 404 for others, and stops the processes', async () => {
    const functions = await startFunctions({ env: {} });
    const names = functionNames();
    expect(functions.pids()).toEqual({});
    expect((await fetch(`${functions.url}/_shared`)).status).toBe(404);
    // Nothing is configured: a function reports that instead of failing to start.
    const answers = await Promise.all(names.map((name) => fetch(`${functions.url}/${name}/health`)));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 500));
    expect(Object.keys(functions.pids()).sort()).toEqual(names);
    const pids = Object.values(functions.pids());
    expect(pids.every(isAlive)).toBe(true);
    await functions.close();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('starts a function once, however many concurrent first calls it gets', async () => {
    const functions = await startFunctions({ env: {} });
    try {
      const answers = await Promise.all([1, 2, 3].map(() => fetch(`${functions.url}/send-email/health`)));
      expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
      expect(descendantsOf(process.pid).filter(isServing('send-email'))).toEqual([functions.pids()['send-email']]);
    } finally {
      await functions.close();
    }
  });

  it('reports a function that dies, and answers 502 for it', async () => {
    const onExit = vi.fn();
    const functions = await startFunctions({ env: {}, onExit });
    try {
      await fetch(`${functions.url}/send-email/health`);
      process.kill(functions.pids()['send-email'] ?? 0, 'SIGKILL');
      await expect.poll(() => onExit).toHaveBeenCalledWith('send-email', expect.any(Array));
      expect((await fetch(`${functions.url}/send-email/health`)).status).toBe(502);
    } finally {
      await functions.close();
    }
  });

  it('reports a function that does not start, with its output, and answers 502 for it', async () => {
    const onExit = vi.fn();
    const functions = await startFunctions({ env: { SUPABASE_URL: 'http://no..host' }, onExit });
    try {
      expect((await fetch(`${functions.url}/send-email/health`)).status).toBe(502);
      expect(onExit).toHaveBeenCalledExactlyOnceWith(
        'send-email',
        expect.arrayContaining([expect.stringContaining('invalid host')]),
      );
    } finally {
      await functions.close();
    }
  });

  it('leaves no process behind when its parent is killed', async () => {
    const start = fileURLToPath(new URL('./start-functions.ts', import.meta.url));
    const script = `import { startFunctions } from ${JSON.stringify(start)};
      const functions = await startFunctions({ env: {} });
      await Promise.all(['send-email', 'csp-report'].map((name) => fetch(functions.url + '/' + name + '/health')));
      console.log(JSON.stringify(functions.pids()));`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const pids = Object.values(JSON.parse(String(line))).map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.every(isAlive)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  it('leaves no process behind when its parent is killed while a function is starting', async () => {
    const start = fileURLToPath(new URL('./start-functions.ts', import.meta.url));
    const script = `import { startFunctions } from ${JSON.stringify(start)};
      const functions = await startFunctions({ env: {} });
      await fetch(functions.url + '/send-email/health');`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
    const starting = () => descendantsOf(parent.pid ?? 0).filter(isServing('send-email'));
    const pids = await vi.waitUntil(() => (starting().length > 0 ? starting() : null), {
      timeout: 15_000,
      interval: 5,
    });
    parent.kill('SIGKILL');
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });
});

it('lets functions connect only to the configured hosts', () => {
  expect(
    reachableHosts({ SUPABASE_URL: 'https://a.test/x', STRIPE_API_URL: 'http://b.test:81', MAIL_FROM: 'c' }),
  ).toEqual(['a.test', 'b.test:81']);
});
