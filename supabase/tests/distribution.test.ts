import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../local/paths.ts';
import { testEnv } from '../../local/testing/clients.ts';
import { grantPoints, newAdmin, newMember, newQuest, newVerifiedOwner, unwrap } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** The multi-machine plan of docs/scaling.md: its statements, and the keys that it lists as not ready. */
const plan =
  readFileSync(join(PROJECT_ROOT, 'docs/scaling.md'), 'utf8').split('\n## Several machines: Citus\n')[1] ?? '';
const statements = [...plan.matchAll(/```sql\n([\s\S]*?)```/g)]
  .flatMap(([, sql = '']) => sql.split(/;\n/))
  .map((statement) => statement.trim())
  .filter((statement) => statement !== '');
const exceptions = [...plan.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(([, key = '', wayOut = '']) => ({
  key,
  wayOut,
}));

/** Where tables live: their distribution column, or null for a reference table. All others are local. */
type Placement = Record<string, string | null>;

const PLACES =
  /^select (create_(?:distributed|reference)_table)\('([\w.]+)'(?:, '(\w+)', colocate_with => 'public\.user_profiles')?\)$/;
/** The first table has nothing to be colocated with. */
const FIRST = "select create_distributed_table('public.user_profiles', 'user_id')";

function placementBy(statement: string): Placement {
  if (statement === FIRST) return { 'public.user_profiles': 'user_id' };
  const [, procedure, table = '', column] = PLACES.exec(statement) ?? [];
  if (procedure === undefined || (procedure === 'create_distributed_table') !== (column !== undefined))
    throw new Error(`docs/scaling.md places a table in a way that this test does not know: ${statement}`);
  return { [table]: column ?? null };
}

const isPlacing = (statement: string) => /create_(?:distributed|reference)_table/.test(statement);
/** Where today's tables would live, without those that the plan itself creates. */
function placementOfToday(): Placement {
  const made = statements.flatMap((statement) => /^create table ([\w.]+)/.exec(statement)?.[1] ?? []);
  const placement: Placement = Object.assign({}, ...statements.filter(isPlacing).map(placementBy));
  return Object.fromEntries(Object.entries(placement).filter(([table]) => !made.includes(table)));
}

const PLACED = `with placed as (select key::regclass as id, value as by from jsonb_each_text($1::jsonb))`;

/** Names of unique keys and foreign keys that Citus refuses with this placement. */
async function refusedKeys(client: pg.Client, placement: Placement): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `${PLACED}, columns as (
      select k.oid, k.attrelid, array_agg(a.attname::text order by k.n) as names
      from (
        select i.indexrelid as oid, i.indrelid as attrelid, u.attnum, u.n
        from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality u (attnum, n)
        where i.indisunique and u.n <= i.indnkeyatts
        union all
        select c.oid, c.conrelid, u.attnum, u.n from pg_constraint c cross join unnest(c.conkey) with ordinality u (attnum, n)
        where c.contype = 'f'
        union all
        -- The other side of a foreign key, under the same id.
        select c.oid, c.confrelid, u.attnum, u.n from pg_constraint c cross join unnest(c.confkey) with ordinality u (attnum, n)
        where c.contype = 'f' and c.conrelid <> c.confrelid
      ) k join pg_attribute a on a.attrelid = k.attrelid and a.attnum = k.attnum
      group by 1, 2
    )
    select i.indexrelid::regclass::text as name from pg_index i
      join placed p on p.id = i.indrelid and p.by is not null
      left join columns c on c.oid = i.indexrelid
      where i.indisunique and not coalesce(p.by = any (c.names), false)
    union all
    select f.conname from pg_constraint f
      left join placed own on own.id = f.conrelid
      left join placed other on other.id = f.confrelid
      left join columns here on here.oid = f.oid and here.attrelid = f.conrelid
      left join columns there on there.oid = f.oid and there.attrelid = f.confrelid
      where f.contype = 'f' and case
        -- Within one distribution key: both sides contain it, at the same position.
        when own.by is not null and other.by is not null
          then coalesce(array_position(here.names, own.by) <> array_position(there.names, other.by), true)
        when own.by is not null then other.id is null
        else other.by is not null end`,
    [JSON.stringify(placement)],
  );
  return rows.map(({ name }) => name.replace(/^\w+\./, '')).sort();
}

/** What else Citus refuses on a distributed table. */
async function refusedTables(client: pg.Client, placement: Placement): Promise<string[]> {
  const { rows } = await client.query<{ problem: string }>(
    `${PLACED}
    select p.id || ' may be without ' || p.by as problem from placed p
      left join pg_attribute a on a.attrelid = p.id and a.attname = p.by
      where p.by is not null and not coalesce(a.attnotnull and a.attgenerated = '' and a.attidentity = '', false)
    union all
    select p.id || ' has the policy ' || l.polname || ' with a subquery' from placed p join pg_policy l on l.polrelid = p.id
      where p.by is not null and concat(l.polqual::text, l.polwithcheck::text) like '%{SUBLINK%'
    union all
    -- Allowed by a setting, and correct only for triggers that read nothing but their own row.
    select p.id || ' has the trigger ' || t.tgname from placed p join pg_trigger t on t.tgrelid = p.id and not t.tgisinternal
      where p.by is not null and (current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on'
        or t.tgfoid not in ('private.prevent_mutation'::regproc, 'private.touch_updated_at'::regproc))`,
    [JSON.stringify(placement)],
  );
  return rows.map(({ problem }) => problem);
}

/** Runs `work` as superuser, and rolls back. */
async function rolledBack(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });
  await client.connect();
  try {
    await client.query('begin');
    await work(client);
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

test('docs/scaling.md lists exactly the keys that are not ready for several machines, each with a solution', () =>
  rolledBack(async (client) => {
    expect(exceptions.map(({ key }) => key).sort()).toEqual(await refusedKeys(client, placementOfToday()));
    expect(exceptions.filter(({ wayOut }) => wayOut.trim() === '')).toEqual([]);
  }));

test("the plan's statements run in order, Citus would accept each table at its step, and no transfer is lost", async () => {
  const [admin, owner, member] = [await newAdmin(), await newVerifiedOwner(), await newMember()];
  const { taskId } = await newQuest(owner);
  await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_url: 'https://example.com/proof' }));
  await grantPoints(member, 50);
  const reward = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Mug', points_cost: 30 } }));
  await unwrap(member.client.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: randomUUID() }));

  await rolledBack(async (client) => {
    const placement: Placement = {};
    for (const statement of statements) {
      if (isPlacing(statement)) {
        Object.assign(placement, placementBy(statement));
        expect(await refusedKeys(client, placement), statement).toEqual([]);
        expect(await refusedTables(client, placement), statement).toEqual([]);
      } else {
        await client.query(statement);
      }
    }
    expect(Object.keys(placement).length).toBeGreaterThan(10);
    expect(await refusedKeys(client, placement)).toEqual([]);

    // Each entry finds its transfer on its own node; the approval's other side is with the owner.
    const { rows } = await client.query(
      `select e.type, t.kind from public.entries e join public.transfers t on t.id = e.transfer_id and t.owner_user_id = e.owner_user_id
       where e.owner_user_id = $1 order by e.id`,
      [member.id],
    );
    expect(rows).toEqual([
      { type: 'credit', kind: 'task_completion' },
      { type: 'debit', kind: 'adjustment' },
      { type: 'credit', kind: 'adjustment' },
      { type: 'debit', kind: 'redemption' },
      { type: 'credit', kind: 'redemption' },
    ]);
    const { rows: lost } = await client.query(
      `select e.* from public.entries e left join public.transfers t on t.id = e.transfer_id and t.owner_user_id = e.owner_user_id
       left join public.wallets w on w.id = e.wallet_id and w.owner_user_id = e.owner_user_id
       where t.id is null or (w.id is null) <> (e.wallet_id is null)`,
    );
    expect(lost).toEqual([]);
  });
});
