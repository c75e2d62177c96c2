import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asService, sql, testEnv } from '../../local/testing/clients.ts';
import { ConnectionPool, type Outcome } from './support/connection-pool.ts';
import { newAdmin, newOwner, newQuest, type Owner, type Quest, unwrap, withSettings } from './support/factories.ts';
import { allLedgerProblems } from './support/ledger.ts';
import { setUpDatabase } from './support/set-up-database.ts';

// 2,000 operations in `npm test`, 200,000 in `npm run test:full`.
const OPERATIONS = process.env.QUESTBOARD_FULL ? 200_000 : 2_000;
const CLIENTS = 32;
const READERS = 3;
const MEMBERS = 150;

let pool: ConnectionPool;
let quests: { owner: Owner; quest: Quest }[];
let rewards: string[];
let admin: string;
const members = Array.from({ length: MEMBERS }, () => `user_bank_${randomUUID()}`);
const redemptions: string[] = [];
const keys: string[] = [];

setUpDatabase();
beforeAll(async () => {
  pool = await ConnectionPool.open(CLIENTS);
  admin = (await newAdmin()).id;
  await sql().query("insert into private.admins (user_id, reason) values ($1, 'test')", [admin]);
  const { rows } = await sql().query<{ id: string }>(
    "insert into public.rewards (title, points_cost, stock_quantity) values ('A', 5, null), ('B', 9, 400), ('C', 2, 40) returning id",
  );
  rewards = rows.map((row) => row.id);
});
afterAll(() => pool.leave());

const some = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)];
const upTo = (limit: number): number => 1 + Math.floor(Math.random() * limit);

/** Mostly a new key, sometimes a used one, like a client that retries. */
function someKey(): string {
  const old = Math.random() < 0.15 ? some(keys) : undefined;
  const key = old ?? randomUUID();
  keys.push(key);
  return key;
}

type Call = [who: string | null, call: string, values: unknown[]];

const OPERATION: [weight: number, make: () => Call][] = [
  [30, () => [some(members) ?? '', "public.submit_proof($1, null, 'done', null)", [some(quests)?.quest.taskId]]],
  [20, () => [some(members) ?? '', 'public.redeem_reward_safe($1, $2)', [some(rewards), someKey()]]],
  [
    10,
    () => [
      admin,
      'public.set_redemption_status($1, $2, null)',
      [some(redemptions) ?? randomUUID(), some(['cancelled', 'fulfilled'])],
    ],
  ],
  [20, () => [null, "public.credit_points_safe($1, $2, 'bank', '{}', $3)", [some(members), upTo(20), someKey()]]],
  [14, () => [null, "public.debit_points_safe($1, $2, 'bank', '{}', $3)", [some(members), upTo(20), someKey()]]],
  [4, editQuest],
  [2, () => ownerCalls(some(['close_campaign', 'publish_campaign', 'unpublish_campaign', 'publish_campaign']) ?? '')],
];

function ownerCalls(name: string): Call {
  const { owner, quest } = some(quests) ?? quests[0] ?? never();
  return [owner.id, `public.${name}($1)`, [quest.campaign.id]];
}

function editQuest(): Call {
  const { owner, quest } = some(quests) ?? quests[0] ?? never();
  const task = {
    id: quest.taskId,
    title: 'T',
    instructions_md: 'I',
    reward_points: 9 + upTo(4),
    max_completions: 30 + upTo(200),
  };
  const campaign = { title: 'Q', summary: 'S', budget_points: 5000 };
  return [owner.id, 'public.update_campaign($1, $2, $3)', [quest.campaign.id, campaign, JSON.stringify([task])]];
}

function never(): never {
  throw new Error('no quest');
}

function someOperation(): Call {
  let dice = Math.random() * OPERATION.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of OPERATION) {
    dice -= weight;
    if (dice < 0) return make();
  }
  return editQuest();
}

const idOf = (outcome: Outcome): string | undefined => /"id":"([0-9a-f-]{36})"/.exec(JSON.stringify(outcome))?.[1];

test(
  'TRUST-01 TRUST-02 TRUST-05 a bank day: 32 concurrent clients, readers in between, and every point accounted for',
  () =>
    withSettings({ trial_budget_points: 100_000, submissions_per_minute: 600 }, async () => {
      quests = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const owner = await newOwner();
          return { owner, quest: await newQuest(owner, { task: { reward_points: 10, max_completions: 200 } }) };
        }),
      );
      for (const member of members) {
        await unwrap(
          asService().rpc('credit_points_safe', { p_user_id: member, p_points: 20, p_description: 'Start' }),
        );
      }

      let left = OPERATIONS;
      const outcomes = new Map<string, number>();
      const work = async (client: number) => {
        while (left > 0) {
          left -= 1;
          const [who, call, values] = someOperation();
          const outcome = await pool.call(client, who, call, values);
          const name = outcome.ok ? 'ok' : outcome.code;
          outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
          const id = call.includes('redeem') ? idOf(outcome) : undefined;
          if (id) redemptions.push(id);
        }
      };
      const readers = Array.from({ length: READERS }, () => readUntil(() => left <= 0));
      await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
      const reads = await Promise.all(readers);

      // A deadlock, a failed check or any other unexpected error would show up as an SQLSTATE.
      expect([...outcomes.keys()].filter((name) => name.startsWith('sqlstate'))).toEqual([]);
      expect(outcomes.get('ok')).toBeGreaterThan(OPERATIONS / 3);
      expect(Math.min(...reads)).toBeGreaterThan(0);
      const { rows } = await sql().query('select problem, subject_id from public.reconcile_ledger()');
      expect(rows).toEqual([]);
    }),
  3_600_000,
);

/** Reads the books repeatedly; each read is one snapshot and must balance. Returns the number of reads. */
async function readUntil(isOver: () => boolean): Promise<number> {
  const client = new pg.Client({ connectionString: testEnv().DATABASE_URL });
  await client.connect();
  let looks = 0;
  try {
    do {
      expect(await allLedgerProblems(client)).toEqual([]);
      looks += 1;
    } while (!isOver());
  } finally {
    await client.end();
  }
  return looks;
}
