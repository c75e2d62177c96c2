import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withClient } from './database/connection.ts';
import { TOKEN_PATH } from './identity-server.ts';
import { commandOf, processIdentity, statFields } from './process/process-identity.ts';
import { descendantsOf } from './testing/processes.ts';
import {
  makeStateDirectory,
  type RunningStack,
  removeStateDirectory,
  runStackCommand,
  startStackProcess,
} from './testing/running-stack.ts';

let directory: string;
let stack: RunningStack | undefined;

beforeEach(() => {
  directory = makeStateDirectory();
});

afterEach(async () => {
  stack?.process.kill('SIGTERM');
  await stack?.exited;
  stack = undefined;
  removeStateDirectory(directory);
});

async function start(env: NodeJS.ProcessEnv = {}): Promise<RunningStack> {
  stack = await startStackProcess(directory, env);
  return stack;
}

/** Ids of the processes recorded by the running stack, by part. */
function recordedPids(): Record<string, number> {
  const records: Record<string, { pid: number }> = JSON.parse(readFileSync(join(directory, 'pids.json'), 'utf8'));
  return Object.fromEntries(Object.entries(records).map(([name, { pid }]) => [name, pid]));
}

const isAlive = (pid: number): boolean => processIdentity(pid) !== undefined;

const query = (url: string, text: string): Promise<unknown[]> =>
  withClient(url, async (client) => (await client.query(text)).rows);

/** The id of the account with an address, which is created if there is none. */
async function accountOf({ IDENTITY_URL, SUPABASE_SECRET_KEY }: RunningStack['env']): Promise<string | undefined> {
  const response = await fetch(`${IDENTITY_URL}${TOKEN_PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SUPABASE_SECRET_KEY}` },
    body: JSON.stringify({ email: 'kept@example.com', ttlSeconds: 60 }),
  });
  return decodeJwt(await response.text()).sub;
}

describe('a stack', () => {
  it('ends every process on SIGINT', async () => {
    const { process: running, exited } = await start();
    const pids = Object.values(recordedPids());
    expect(pids.map(isAlive)).toEqual([true, true]);
    running.kill('SIGINT');
    expect(await exited).toBe(130);
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it('allows as many database connections as the smallest hosted project, and holds few of them when it is busy', async () => {
    const { DATABASE_URL, SUPABASE_URL, SUPABASE_ANON_KEY } = (await start()).env;
    expect(await query(DATABASE_URL, 'show max_connections')).toEqual([{ max_connections: '60' }]);
    const headers = { apikey: SUPABASE_ANON_KEY, 'content-type': 'application/json' };
    const call = (path: string, body?: string) =>
      fetch(`${SUPABASE_URL}${path}`, { headers, ...(body && { method: 'POST', body }) }).then(({ status }) => status);
    const statuses = await Promise.all(
      Array.from({ length: 80 }, (_, index) =>
        index % 2
          ? call('/rest/v1/campaigns?select=id&limit=1')
          : call('/storage/v1/object/list/project-logos', '{"prefix": ""}'),
      ),
    );
    expect([...new Set(statuses)]).toEqual([200]);
    const held = "select count(*)::int from pg_stat_activity where usename = 'authenticator'";
    const [{ count } = { count: 0 }] = (await query(DATABASE_URL, held)) as { count: number }[];
    // The pool of PostgREST and the connection on which it hears of new schemas, storage; Realtime has its one from the first listener on.
    // How many of them a burst opens depends on how fast its calls are answered.
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThanOrEqual(10 + 1 + 5);
  });

  it('keeps data, accounts and addresses across a restart, and creates new secrets', async () => {
    const first = await start();
    await query(first.env.DATABASE_URL, 'create table public.kept (n int); insert into public.kept values (7)');
    const account = await accountOf(first.env);
    first.process.kill('SIGTERM');
    await first.exited;

    const second = await start();
    const { SUPABASE_SECRET_KEY: oldKey, CRON_SECRET: oldSecret, ...kept } = first.env;
    const { SUPABASE_SECRET_KEY: newKey, CRON_SECRET: newSecret, ...keptAgain } = second.env;
    expect(keptAgain).toEqual(kept);
    expect(newKey).not.toBe(oldKey);
    expect(newSecret).not.toBe(oldSecret);
    expect(await query(second.env.DATABASE_URL, 'select n from public.kept')).toEqual([{ n: 7 }]);
    expect(await accountOf(second.env)).toBe(account);
  });

  it('takes its parts along when it is killed by kill -9, and starts again with its data', async () => {
    const first = await start();
    const left = Object.values(recordedPids());
    await query(first.env.DATABASE_URL, 'create table public.kept (n int)');
    first.process.kill('SIGKILL');
    await first.exited;
    await expect.poll(() => left.map(isAlive)).toEqual([false, false]);

    const second = await start();
    expect(second.env).toMatchObject({ SUPABASE_URL: first.env.SUPABASE_URL, DATABASE_URL: first.env.DATABASE_URL });
    expect(await query(second.env.DATABASE_URL, 'select * from public.kept')).toEqual([]);
  });

  it('takes its parts along when it is killed by kill -9 while they start', async () => {
    const starting = startStackProcess(directory).catch((error: Error) => error.message);
    const ownPart = () =>
      descendantsOf(process.pid).find((pid) => commandOf(pid)?.includes(`postgres -D ${directory}`) && isAlive(pid));
    await expect.poll(ownPart, { interval: 2, timeout: 30_000 }).toBeDefined();
    const part = ownPart() ?? 0;
    const [, data = ''] = / -D (\S+)/.exec(commandOf(part) ?? '') ?? [];
    const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    const isRecorded = () => read(join(directory, 'pids.json')).includes(`"pid": ${part},`);
    const isReady = () => /^ready/m.test(read(join(data, 'postmaster.pid')));
    // Its id is on disk first.
    await expect.poll(() => isRecorded() || isReady(), { interval: 1, timeout: 30_000 }).toBe(true);
    process.kill(statFields(part)?.parent ?? Number.NaN, 'SIGKILL');
    expect(await starting).toContain('ended with code null');
    await expect.poll(() => isAlive(part), { timeout: 30_000 }).toBe(false);
  });

  it('ends what was left running when its guardian was killed with it', async () => {
    const first = await start();
    const left = Object.values(recordedPids());
    const guardian = descendantsOf(process.pid).find((pid) =>
      commandOf(pid)?.includes(`guardian-process.ts ${directory}`),
    );
    process.kill(guardian ?? Number.NaN, 'SIGKILL');
    first.process.kill('SIGKILL');
    await first.exited;
    expect(left.map(isAlive)).toEqual([true, true]);

    const second = await start();
    expect(left.map(isAlive)).toEqual([false, false]);
    expect(second.env).toMatchObject({ SUPABASE_URL: first.env.SUPABASE_URL, DATABASE_URL: first.env.DATABASE_URL });
  });

  it.each([
    ['PostgREST', 'PostgREST'],
    ['PostgreSQL', 'PostgreSQL'],
  ])('ends completely when %s dies, and reports its last lines', async (part, name) => {
    const { exited, output } = await start();
    const pids = recordedPids();
    process.kill(pids[part] ?? 0, 'SIGKILL');
    expect(await exited).toBe(1);
    expect(output()).toContain(`${name} ended unexpectedly`);
    expect(output()).toContain('Its last lines');
    expect(Object.values(pids).map(isAlive)).toEqual([false, false]);
  });

  it('does not touch an unrelated process that reuses the id of an earlier part', async () => {
    const records = { PostgREST: { pid: process.pid, identity: 'started earlier as another program' } };
    writeFileSync(join(directory, 'pids.json'), JSON.stringify(records));
    await start();
    expect(isAlive(process.pid)).toBe(true);
  });
});

describe('a start is refused in one sentence', () => {
  it('while another stack runs in the same directory', async () => {
    const { env } = await start();
    const { code, output } = await runStackCommand(directory);
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toContain(`running already at ${env.SUPABASE_URL}`);
  });

  it('when the disk is full', async () => {
    symlinkSync('/dev/full', join(directory, 'ports.json.new'));
    const { code, output } = await runStackCommand(directory);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toContain('The disk is full');
    expect(code).toBe(1);
  });

  it('when a required port is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const { code, output } = await runStackCommand(directory, { QUESTBOARD_API_PORT: port });
    blocker.close();
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      `Port ${port} (QUESTBOARD_API_PORT) is taken by another program; stop that program or choose another port.`,
    );
  });

  // Not even root may write there.
  it.runIf(process.platform === 'linux')('without write permission', async () => {
    const { code, output } = await runStackCommand('/sys/questboard');
    expect(code).toBe(1);
    expect(output.trim()).toBe('No permission to write /sys/questboard; Questboard keeps its local data there.');
  });

  it('on the data of another PostgreSQL version', async () => {
    const first = await start();
    first.process.kill('SIGTERM');
    await first.exited;
    writeFileSync(join(directory, 'database/PG_VERSION'), '16\n');
    const { code, output } = await runStackCommand(directory);
    expect(code).toBe(1);
    expect(output.trim()).toMatch(/was made by PostgreSQL 16 and this is 17; start over with: npm start -- --fresh$/);
  });
});
