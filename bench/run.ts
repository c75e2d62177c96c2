import { parseArgs } from 'node:util';
import { IDENTITY_ISSUER } from '../local/constants.ts';
import { withClient } from '../local/database/connection.ts';
import { startEphemeralStack } from '../local/ephemeral-stack.ts';
import { fill, type Size } from './data.ts';
import { deep, type Operation, operations, REPORTS } from './operations.ts';
import { type Load, measureScript, median } from './pgbench.ts';
import { writeResults } from './results.ts';

/**
 * `npm run bench [-- --small] [--rounds 5] [--seconds 2] [--only TEXT]`: the database half of the benchmarks on a durable throw-away
 * database. `--only` runs the operations whose name contains the text, and writes no results. Both sides of a ratio run in turns; the
 * result is the ratio of medians. Noise on a shared machine affects both sides equally, which is why there are no absolute floors. Results
 * are written after each operation, so that an interrupted run keeps what it measured.
 */
const { values } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});
const size: Size = values.small ? 'small' : 'full';
const CLIENTS = 8;

interface Result {
  operation: string;
  against: string;
  synchronousCommit: 'on' | 'off';
  /** Writes: share of the baseline's speed. Reads: multiple of the baseline's time. */
  ratio: number;
  floor: number;
  isReached: boolean;
  /** Median of the rounds. */
  p95Ms: number;
  tps: number[];
  baselineTps: number[];
}

function measure(operation: Operation, load: Load): Result {
  const tps: number[] = [];
  const p95Ms: number[] = [];
  const baselineTps: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const baseline = measureScript(operation.baseline, load);
    baselineTps.push(baseline.transactionsPerSecond / (operation.baselineTransactions ?? 1));
    const own = measureScript(operation.script, load);
    tps.push(own.transactionsPerSecond);
    p95Ms.push(own.p95Ms);
  }
  const [own, base] = [median(tps), median(baselineTps)];
  const ratio = operation.kind === 'write' ? own / base : base / own;
  const isReached = operation.kind === 'write' ? ratio >= operation.floor : ratio <= operation.floor;
  const synchronousCommit = load.isSynchronous ? 'on' : 'off';
  console.log(
    `${isReached ? 'reached' : 'missed '}  ${ratio.toFixed(2)} (floor ${operation.floor}), p95 ${median(p95Ms).toFixed(0)} ms  ${operation.name}, synchronous_commit ${synchronousCommit}`,
  );
  return {
    operation: operation.name,
    against: operation.against,
    synchronousCommit,
    ratio,
    floor: operation.floor,
    isReached,
    p95Ms: median(p95Ms),
    tps,
    baselineTps,
  };
}

/** Milliseconds of each statement that only admins send. There is no baseline, hence no ratio. */
async function timeReports(databaseUrl: string): Promise<Record<string, number>> {
  return withClient(databaseUrl, async (client) => {
    const claims = {
      iss: IDENTITY_ISSUER,
      sub: 'bench_admin',
      role: 'authenticated',
      public_metadata: { role: 'admin' },
    };
    await client.query("select set_config('request.jwt.claims', $1, false)", [JSON.stringify(claims)]);
    // The worker of a running site rolls the figures up every minute; the preceding writes have just made ten minutes of rows.
    await client.query("select private.roll_up_figures('0 seconds', null)");
    const milliseconds: Record<string, number> = {};
    for (const [name, statement] of Object.entries(REPORTS).filter(([name]) => name.includes(values.only))) {
      const runs: number[] = [];
      for (let round = 0; round < Number(values.rounds); round += 1) {
        const start = performance.now();
        await client.query(statement);
        runs.push(performance.now() - start);
      }
      milliseconds[name] = Math.round(median(runs));
      console.log(`${name}: ${milliseconds[name]} ms`);
    }
    return milliseconds;
  });
}

async function bytesPerLedgerRow(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      `select round((pg_total_relation_size('public.transfers') + pg_total_relation_size('public.entries')) / count(*)) as bytes
       from public.entries`,
    );
    return Number(rows[0]?.bytes);
  });
}

async function rememberDeepPage(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query('create table bench.deep_page (cursor text)');
    await client.query(
      `insert into bench.deep_page select private.encode_cursor('quests:trending', jsonb_build_array(c.published_at, c.id))
       from public.campaigns c where c.status = 'published' order by c.published_at desc, c.id desc offset $1 limit 1`,
      [deep(size)],
    );
  });
}

const stack = await startEphemeralStack({
  isSeeded: false,
  isDurable: true,
  onFailure: ({ name, lastLines }) => {
    console.error(`${name} ended:\n${lastLines.join('\n')}`);
    process.exit(1);
  },
});
try {
  const databaseUrl = stack.env.DATABASE_URL;
  await fill(stack.env, size);
  await rememberDeepPage(databaseUrl);
  const results: Result[] = [];
  for (const operation of operations(size).filter(({ name }) => name.includes(values.only))) {
    for (const isSynchronous of operation.kind === 'write' ? [true, false] : [true]) {
      results.push(
        measure(operation, {
          databaseUrl,
          clients: operation.clients ?? CLIENTS,
          seconds: Number(values.seconds),
          isSynchronous,
        }),
      );
    }
    if (!values.only) writeResults(`operations-${size}`, { size, clients: CLIENTS, results });
  }
  const milliseconds = await timeReports(databaseUrl);
  if (!values.only) {
    writeResults(`reports-${size}`, { size, milliseconds, bytesPerLedgerRow: await bytesPerLedgerRow(databaseUrl) });
  }
} finally {
  await stack.stop();
}
