import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

/** Transactions per second of a pgbench script. Throws when a transaction fails. */
export function transactionsPerSecond(script: string, { databaseUrl, clients, seconds, isSynchronous }: Load): number {
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
        '-f',
        file,
        url.pathname.slice(1),
      ],
      {
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
    const tps = /tps = ([\d.]+)/.exec(run.stdout)?.[1];
    if (run.status !== 0 || !tps) throw new Error(`pgbench failed:\n${run.stderr}`);
    return Number(tps);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('no values');
  return middle;
}
