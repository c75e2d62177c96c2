import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PROJECT_ROOT } from '../paths.ts';
import { commandOf, processIdentity } from '../process/process-identity.ts';
import { descendantsOf } from '../testing/processes.ts';

/** Acts as the system's temporary directory, so that a run's leftovers can be distinguished from other files. */
let temporary: string;
let npm: ChildProcess;

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'questboard-interrupted-'));
  npm = spawn('npm', ['test', '--', 'functions', 'stripe-webhook'], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, TMPDIR: temporary, QUESTBOARD_TEST_ENV: undefined },
    stdio: 'ignore',
    detached: true,
  });
});
afterEach(() => rmSync(temporary, { recursive: true, force: true }));

/** What ends in order has five seconds for it, part by part, before it is killed. */
const ENDING = { timeout: 60_000, interval: 100 };

/** Everything that `npm test` has started, once the tests themselves are running on their stack. */
async function whenRunning(): Promise<Map<number, string>> {
  const running = () => new Map(descendantsOf(npm.pid ?? 0).map((pid) => [pid, processIdentity(pid) ?? '']));
  await vi.waitFor(
    () => {
      const commands = [...running().keys()].map(commandOf);
      for (const part of ['vitest', 'postgres', 'postgrest', 'deno', 'guardian-process.ts']) {
        expect(
          commands.some((command) => command?.includes(part)),
          part,
        ).toBe(true);
      }
    },
    { timeout: 60_000, interval: 100 },
  );
  return running();
}

/** The `npm test` process itself, below npm's shell and the script that hands over to the project's Node. */
const commandProcess = (): number => {
  const pid = descendantsOf(npm.pid ?? 0).find((id) => /local\/cli\.ts test/.test(commandOf(id) ?? ''));
  if (!pid) throw new Error('npm test has not started');
  return pid;
};

/** npm's own cache directory. */
const questboardFiles = () => readdirSync(temporary).filter((name) => name.startsWith('questboard-'));

describe.runIf(process.platform === 'linux')('npm test leaves no process and no file behind', () => {
  it.each<[string, () => void]>([
    ['Ctrl-C', () => process.kill(-(npm.pid ?? 0), 'SIGINT')],
    ['SIGTERM to npm', () => npm.kill('SIGTERM')],
    ['kill -9 of npm', () => npm.kill('SIGKILL')],
    ['kill -9 of the command itself', () => process.kill(commandProcess(), 'SIGKILL')],
  ])(
    'after %s',
    async (_how, interrupt) => {
      const started = await whenRunning();
      const ended = once(npm, 'exit');
      interrupt();
      await ended;
      const left = () => [...started].filter(([pid, identity]) => processIdentity(pid) === identity);
      await expect.poll(left, ENDING).toEqual([]);
      await expect.poll(questboardFiles, ENDING).toEqual([]);
    },
    180_000,
  );
});
