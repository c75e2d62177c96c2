import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../local/process/user-error.ts';

export interface Load {
  databaseUrl: string;
  clients: number;
  /** Seconds of one run. */
  seconds: number;
  /** Synchronous commit, as in production. */
  isSynchronous: boolean;
}

export interface Speed {
  transactionsPerSecond: number;
  /** 95 of 100 transactions took no longer, in milliseconds. */
  p95Ms: number;
}

/**
 * Speed of a pgbench script. The clock starts when each client has its first transaction behind it, in which a connection plans all that a
 * procedure asks: with 32 clients that takes longer than a run. A run of which too little is left then is repeated with twice the time.
 * Throws when a transaction fails.
 */
export function measureScript(script: string, load: Load): Speed {
  const speed = speedOf(runScript(script, load), load.clients);
  return speed ?? measureScript(script, { ...load, seconds: 2 * load.seconds });
}

/** The lines of pgbench's log. */
function runScript(script: string, { databaseUrl, clients, seconds, isSynchronous }: Load): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-bench-'));
  try {
    const file = join(directory, 'script.sql');
    writeFileSync(file, script);
    const url = new URL(databaseUrl);
    const run = spawnSync(
      'pgbench',
      [
        '-n',
        '-h',
        url.hostname,
        '-p',
        url.port,
        '-U',
        url.username,
        '-c',
        String(clients),
        '-j',
        '2',
        '-T',
        String(seconds),
        '-M',
        'prepared',
        '-l',
        '-f',
        file,
        url.pathname.slice(1),
      ],
      {
        cwd: directory,
        encoding: 'utf8',
        env: {
          ...process.env,
          PGPASSWORD: url.password,
          PGOPTIONS: `-c synchronous_commit=${isSynchronous ? 'on' : 'off'}`,
        },
      },
    );
    if (run.error)
      throw new UserError(
        'The benchmarks need pgbench: install the package postgresql-contrib or postgresql (Debian: apt-get install postgresql).',
      );
    if (run.status !== 0) throw new Error(`pgbench failed:\n${run.stderr}`);
    const logs = readdirSync(directory).filter((name) => name.startsWith('pgbench_log'));
    return logs.flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n').filter(Boolean));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * The speed by pgbench's log: client, number, microseconds, script, and when it ended in seconds and microseconds. Null: fewer than ten
 * transactions, or less than half of the time, came after the first ones.
 */
function speedOf(lines: readonly string[], clients: number): Speed | null {
  const transactions = lines.map((line) => {
    const [client = 0, , duration = 0, , seconds = 0, microseconds = 0] = line.split(' ').map(Number);
    return { client, ms: duration / 1e3, endedAt: seconds + microseconds / 1e6 };
  });
  transactions.sort((a, b) => a.endedAt - b.endedAt);
  const firsts = new Map(transactions.toReversed().map(({ client, endedAt }) => [client, endedAt]));
  const [opening, last] = [transactions[0], transactions.at(-1)];
  if (!opening || !last || firsts.size < clients) return null;
  const start = Math.max(...firsts.values());
  const counted = transactions.filter(({ endedAt }) => endedAt > start);
  const measured = last.endedAt - start;
  if (counted.length < 10 || measured < (last.endedAt - opening.endedAt + opening.ms / 1e3) / 2) return null;
  const times = counted.map(({ ms }) => ms).sort((a, b) => a - b);
  return { transactionsPerSecond: counted.length / measured, p95Ms: times[Math.floor(0.95 * times.length)] ?? 0 };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('no values');
  return middle;
}
