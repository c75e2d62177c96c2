import { parseArgs } from 'node:util';
import { IDENTITY_ISSUER } from '../local/constants.ts';
import { withClient } from '../local/database/connection.ts';
import type { StackEnv } from '../local/env.ts';
import { startEphemeralStack } from '../local/ephemeral-stack.ts';
import { loadSigningKey } from '../local/identity/keys.ts';
import { signSessionToken } from '../local/identity/tokens.ts';
import { type Answer, type Call, type Measured, runClients } from './clients.ts';
import { fill, type Size } from './data.ts';
import { median } from './pgbench.ts';
import { writeResults } from './results.ts';

/**
 * `npm run bench:api [-- --full] [--seconds 15]`: the API half of the benchmarks, through gateway and PostgREST of a durable throw-away
 * stack. The clients share the processors with the system under test, so the times are upper bounds. Takes about two minutes, most of them
 * for filling; prints the table of docs/benchmarks.md.
 */
const { values } = parseArgs({
  options: { full: { type: 'boolean', default: false }, seconds: { type: 'string', default: '15' } },
});
const size: Size = values.full ? 'full' : 'small';
const SECONDS = Number(values.seconds);
const REDEMPTIONS_A_SECOND = 200;
const REDEEMERS = 1000;
const CLIENTS = 500;
const OVERLOAD_CLIENTS = 3000;
const IDLE_POLLS = 200;
/** What an overloaded server should answer at once, instead of queueing. */
const REFUSALS = [429, 503];
const TOKEN_SECONDS = 1800;
/** What the notification bell of an idle member requests every 30 s. */
const BELL = 'get_unread_notification_count';

/** NaN without samples. */
function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function percentiles(answers: Answer[]) {
  const times = answers.map(({ milliseconds }) => milliseconds);
  const rounded = (share: number) => Math.round(percentile(times, share));
  return { p50: rounded(0.5), p90: rounded(0.9), p95: rounded(0.95), p99: rounded(0.99) };
}

function summary({ answers, seconds }: Measured) {
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    calls: answers.length,
    perSecond: Math.round(answers.length / seconds),
    errors: answers.filter(({ status }) => status !== 200).length,
    statuses,
    milliseconds: percentiles(answers),
  };
}

/** Median milliseconds of each address. */
function medians(answers: Answer[]): Record<string, number> {
  const paths = [...new Set(answers.map(({ path }) => path))];
  return Object.fromEntries(
    paths.map((path) => [
      path,
      Math.round(median(answers.filter((answer) => answer.path === path).map(({ milliseconds }) => milliseconds))),
    ]),
  );
}

async function tokens(env: StackEnv): Promise<{ user: string; token: string }[]> {
  const key = await loadSigningKey(env.IDENTITY_DIRECTORY);
  return Promise.all(
    Array.from({ length: REDEEMERS }, async (_, index) => {
      const user = `bench_member_${index + 1}`;
      const subject = { id: user, email: `${user}@example.com`, emailVerified: true, name: user, publicMetadata: {} };
      const token = await signSessionToken(key, subject, { issuer: IDENTITY_ISSUER, ttlSeconds: TOKEN_SECONDS });
      return { user, token };
    }),
  );
}

/** Median database milliseconds of one poll of the bell. */
async function databaseMilliseconds(databaseUrl: string, user: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const claims = JSON.stringify({ iss: IDENTITY_ISSUER, sub: user, role: 'authenticated' });
    await client.query("select set_config('request.jwt.claims', $1, false)", [claims]);
    await client.query('set role authenticated');
    const times: number[] = [];
    for (let round = 0; round < IDLE_POLLS; round += 1) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ 'Execution Time': number }] }>(
        `explain (analyze, format json) select public.${BELL}()`,
      );
      times.push(rows[0]?.['QUERY PLAN'][0]['Execution Time'] ?? Number.NaN);
    }
    return Number(median(times).toFixed(2));
  });
}

const stack = await startEphemeralStack({ isSeeded: false, isDurable: true });
try {
  const { DATABASE_URL: databaseUrl, SUPABASE_URL: url, SUPABASE_ANON_KEY: apikey } = stack.env;
  await fill(stack.env, size);
  const rewards = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>("select id from public.rewards where title like 'Reward %'");
    return rows.map(({ id }) => id);
  });
  const members = await tokens(stack.env);
  const asMember = (index: number) => ({
    apikey,
    authorization: `Bearer ${members[index % members.length]?.token}`,
    'content-type': 'application/json',
  });
  const publicMix: Call[] = [
    '/rest/v1/rpc/list_published_quests?p_limit=50',
    '/rest/v1/rpc/get_site_stats',
    '/rest/v1/rpc/get_leaderboard?p_limit=10',
    '/rest/v1/rpc/list_published_quests?p_limit=50&p_sort=trending',
  ].map((path) => ({ path, headers: { apikey } }));
  const redemptions = Array.from(
    { length: REDEMPTIONS_A_SECOND * SECONDS },
    (_, index): Call => ({
      path: '/rest/v1/rpc/redeem_reward_safe',
      headers: asMember(index),
      body: JSON.stringify({ p_reward_id: rewards[index % rewards.length], p_idempotency_key: `bench-${index}` }),
    }),
  );
  const looks = Array.from({ length: IDLE_POLLS }, (_, index) => ({
    path: `/rest/v1/rpc/${BELL}`,
    headers: asMember(index),
  }));
  const visit = (clients: number, seconds: number) =>
    runClients({ kind: 'clients', url, calls: publicMix, clients, seconds });

  // Warms up connections and plans, so that their creation is not measured.
  await visit(20, 2);
  const redeeming = summary(
    await runClients({ kind: 'rate', url, calls: redemptions, perSecond: REDEMPTIONS_A_SECOND }),
  );
  const idle = summary(await runClients({ kind: 'rate', url, calls: looks, perSecond: 20 }));
  const idleDatabase = await databaseMilliseconds(databaseUrl, members[0]?.user ?? '');
  const visits = await visit(CLIENTS, SECONDS);
  const visitors = { ...summary(visits), medians: medians(visits.answers) };

  const few = Array.from({ length: 100 }, () => publicMix[0] as Call);
  const usual = summary(await runClients({ kind: 'rate', url, calls: few, perSecond: 20 }));
  const rush = await visit(OVERLOAD_CLIENTS, SECONDS);
  const within = 2 * usual.milliseconds.p95;
  const { seconds: recovery } = await runClients({ kind: 'recovery', url, calls: few, within });
  const overload = {
    ...summary(rush),
    served: percentiles(rush.answers.filter(({ status }) => status === 200)),
    refused: percentiles(rush.answers.filter(({ status }) => REFUSALS.includes(status))),
    unanswered: rush.answers.filter(({ status }) => status === 0).length,
    usual: usual.milliseconds,
    recoveredAfter: Math.round(recovery * 1000),
  };

  const isRefused = (status: string) => REFUSALS.includes(Number(status));
  const refusals = Object.entries(overload.statuses).flatMap(([status, count]) => (isRefused(status) ? [count] : []));
  const count = (calls: number) => calls.toLocaleString('en');
  const rows = [
    [
      `${REDEMPTIONS_A_SECOND} redemptions a second, p95 / p99`,
      '20 / 45 ms',
      `${redeeming.milliseconds.p95} / ${redeeming.milliseconds.p99} ms, ${redeeming.errors} errors`,
    ],
    [
      `${CLIENTS} visitors (list of quests, site figures, leaderboard), p90, errors`,
      '300 ms, 0',
      `${visitors.milliseconds.p90} ms, ${visitors.errors} errors, ${visitors.perSecond} a second`,
    ],
    ['polls of an idle member, p95', '-', `${idle.milliseconds.p95} ms`],
    ['the same in the database', 'less than 1 ms', `${idleDatabase} ms`],
    [
      `${count(OVERLOAD_CLIENTS)} visitors at once: answered by 429 or 503, p50 / p95`,
      'within 50 ms',
      `${overload.refused.p50} / ${overload.refused.p95} ms, ${count(refusals.reduce((sum, calls) => sum + calls, 0))} of ${count(overload.calls)}`,
    ],
    [
      'those that were served, p50 / p95, and calls without an answer',
      '-',
      `${overload.served.p50} / ${overload.served.p95} ms, ${overload.unanswered}`,
    ],
    ['back to the usual time, once it is over', '-', `in ${overload.recoveredAfter} ms`],
  ];
  console.log(
    ['| what | aim | result |', '| --- | ---: | ---: |', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
  );
  writeResults(`api-${size}`, {
    size,
    seconds: SECONDS,
    redeeming,
    idle: { ...idle, database: idleDatabase },
    visitors,
    overload,
  });
} finally {
  await stack.stop();
}
