import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { parseArgs } from 'node:util';
import { IDENTITY_ISSUER } from '../local/constants.ts';
import { withClient } from '../local/database/connection.ts';
import type { StackEnv } from '../local/env.ts';
import { startEphemeralStack } from '../local/ephemeral-stack.ts';
import { loadSigningKey } from '../local/identity/keys.ts';
import { signSessionToken } from '../local/identity/tokens.ts';
import { fill, type Size } from './data.ts';
import { median } from './pgbench.ts';
import { writeResults } from './results.ts';

/**
 * `npm run bench:api [-- --full] [--seconds 15]`: the API half of the benchmarks, through gateway and PostgREST of a durable throw-away
 * stack. The clients run on the same processors as what they measure, so these are upper bounds of the times.
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
/** What an overloaded server should answer at once, instead of letting people wait. */
const REFUSALS = [429, 503];
const TOKEN_SECONDS = 1800;

interface Call {
  path: string;
  headers: OutgoingHttpHeaders;
  /** Sent by POST; without it the call is a GET. */
  body?: string;
}

interface Answer {
  path: string;
  /** 0: no answer at all. */
  status: number;
  milliseconds: number;
}

/** One call; `since` is when it should have been sent, so that a late client does not flatter the server. */
function send(url: string, { path, headers, body }: Call, agent: Agent, since = performance.now()): Promise<Answer> {
  return new Promise((resolve) => {
    const done = (status: number) => resolve({ path, status, milliseconds: performance.now() - since });
    const outgoing = request(`${url}${path}`, { method: body === undefined ? 'GET' : 'POST', headers, agent });
    outgoing.on('response', (incoming) => {
      incoming.resume();
      incoming.on('end', () => done(incoming.statusCode ?? 0));
      incoming.on('error', () => done(0));
    });
    outgoing.on('error', () => done(0));
    outgoing.end(body);
  });
}

const percentile = (sorted: number[], share: number): number | null =>
  sorted.length === 0 ? null : (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null);

function summary(answers: Answer[], seconds: number) {
  const times = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  const rounded = (share: number) => Math.round(percentile(times, share) ?? Number.NaN);
  return {
    calls: answers.length,
    perSecond: Math.round(answers.length / seconds),
    errors: answers.filter(({ status }) => status !== 200).length,
    statuses,
    milliseconds: { p50: rounded(0.5), p90: rounded(0.9), p95: rounded(0.95), p99: rounded(0.99) },
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

/** So many calls a second, whatever the server does. */
async function atRate(url: string, calls: Call[], perSecond: number) {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  const answers = await Promise.all(
    calls.map(async (call, index) => {
      const since = start + (index * 1000) / perSecond;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, since - performance.now())));
      return send(url, call, agent, since);
    }),
  );
  agent.destroy();
  return summary(answers, (performance.now() - start) / 1000);
}

/** So many clients that each send their next call as soon as the last one is answered, over connections that stay open. */
async function withClients(url: string, nextCall: (index: number) => Call, clients: number, seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const start = performance.now();
  const answers: Answer[] = [];
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let round = 0; performance.now() - start < seconds * 1000; round += 1) {
        answers.push(await send(url, nextCall(client + round), agent));
      }
    }),
  );
  agent.destroy();
  return { answers, ...summary(answers, (performance.now() - start) / 1000) };
}

/** Milliseconds until one client's calls are answered again as fast as before the overload, at most twice `usual`. */
async function recovery(url: string, call: Call, usual: number): Promise<number | null> {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  try {
    while (performance.now() - start < 60_000) {
      const { status, milliseconds } = await send(url, call, agent);
      if (status === 200 && milliseconds <= 2 * usual) return Math.round(performance.now() - start);
    }
    return null;
  } finally {
    agent.destroy();
  }
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

/** What the bell of an idle member asks for every 30 s, and milliseconds of the database for each. */
const BELL = {
  get_unread_notification_count: 'select public.get_unread_notification_count()',
  list_notifications: 'select * from public.list_notifications(p_limit => 20)',
};

async function databaseMilliseconds(databaseUrl: string, user: string): Promise<Record<string, number>> {
  return withClient(databaseUrl, async (client) => {
    const claims = JSON.stringify({ iss: IDENTITY_ISSUER, sub: user, role: 'authenticated' });
    await client.query("select set_config('request.jwt.claims', $1, false)", [claims]);
    await client.query('set role authenticated');
    const milliseconds: Record<string, number> = {};
    for (const [name, statement] of Object.entries(BELL)) {
      const times: number[] = [];
      for (let round = 0; round < IDLE_POLLS; round += 1) {
        const { rows } = await client.query<{ 'QUERY PLAN': [{ 'Execution Time': number }] }>(
          `explain (analyze, format json) ${statement}`,
        );
        times.push(rows[0]?.['QUERY PLAN'][0]['Execution Time'] ?? Number.NaN);
      }
      milliseconds[name] = Number(
        (
          percentile(
            times.sort((a, b) => a - b),
            0.5,
          ) ?? Number.NaN
        ).toFixed(2),
      );
    }
    return milliseconds;
  });
}

const stack = await startEphemeralStack({ isSeeded: false, isDurable: true });
try {
  const { DATABASE_URL: databaseUrl, SUPABASE_URL: url, SUPABASE_ANON_KEY: apikey } = stack.env;
  await fill(databaseUrl, size);
  const rewards = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>("select id from public.rewards where title like 'Reward %'");
    return rows.map(({ id }) => id);
  });
  const members = await tokens(stack.env);
  const visitor = { apikey };
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
  ].map((path) => ({ path, headers: visitor }));
  const publicCall = (index: number): Call => publicMix[index % publicMix.length] as Call;

  const redemptions = Array.from(
    { length: REDEMPTIONS_A_SECOND * SECONDS },
    (_, index): Call => ({
      path: '/rest/v1/rpc/redeem_reward_safe',
      headers: asMember(index),
      body: JSON.stringify({ p_reward_id: rewards[index % rewards.length], p_idempotency_key: `bench-${index}` }),
    }),
  );
  const bell = Object.keys(BELL).map((name) => `/rest/v1/rpc/${name}${name.startsWith('list') ? '?p_limit=20' : ''}`);

  // Connections and plans first, so that nobody measures how they are made.
  await withClients(url, publicCall, 20, 2);
  const redeeming = await atRate(url, redemptions, REDEMPTIONS_A_SECOND);
  console.log(`${REDEMPTIONS_A_SECOND} redemptions a second:`, JSON.stringify(redeeming));
  const idle = await atRate(
    url,
    Array.from({ length: IDLE_POLLS }, (_, index): Call => {
      const path = bell[index % bell.length] ?? '';
      return { path, headers: asMember(index) };
    }),
    20,
  );
  const idleDatabase = await databaseMilliseconds(databaseUrl, members[0]?.user ?? '');
  console.log('polls of an idle member:', JSON.stringify({ ...idle, database: idleDatabase }));
  const { answers: visits, ...visitors } = await withClients(url, publicCall, CLIENTS, SECONDS);
  const visitorMedians = medians(visits);
  console.log(`${CLIENTS} visitors:`, JSON.stringify({ ...visitors, medians: visitorMedians }));

  const usual = await atRate(
    url,
    Array.from({ length: 50 }, () => publicCall(0)),
    20,
  );
  const { answers, ...overload } = await withClients(url, publicCall, OVERLOAD_CLIENTS, SECONDS);
  const refusals = answers.filter(({ status }) => REFUSALS.includes(status)).map(({ milliseconds }) => milliseconds);
  const refused = {
    calls: refusals.length,
    p95: percentile(
      refusals.sort((a, b) => a - b),
      0.95,
    ),
  };
  const recoveredAfter = await recovery(url, publicCall(0), usual.milliseconds.p95);
  console.log(`${OVERLOAD_CLIENTS} visitors at once:`, JSON.stringify({ ...overload, refused, recoveredAfter }));
  writeResults(`api-${size}`, {
    size,
    seconds: SECONDS,
    redeeming,
    idle: { ...idle, database: idleDatabase },
    visitors: { ...visitors, medians: visitorMedians },
    overload: { ...overload, refused, usual: usual.milliseconds, recoveredAfter },
  });
} finally {
  await stack.stop();
}
