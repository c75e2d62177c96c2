import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testEnv } from '../../local/testing/clients.ts';
import { ACCESS, type Cell } from './access/declared.ts';
import { evaluateTable, exposedTables, updateOf, VERBS, withHidden } from './access/evaluate.ts';
import { FIXTURE, insertFixture, keyOf, labelsOf, VIEWS } from './access/fixture.ts';
import { PERSONA_NAMES } from './access/personas.ts';

// The whole file runs in one transaction that is rolled back, so other tests never see the fixture's rows.
const client = new pg.Client({ connectionString: testEnv().DATABASE_URL });

beforeAll(async () => {
  await client.connect();
  await client.query('begin');
  await insertFixture(client);
});

afterAll(async () => {
  await client.query('rollback');
  await client.end();
});

describe('row access', () => {
  test('C-64 the declared matrix lists exactly the exposed tables', async () => {
    expect(Object.keys(ACCESS).sort()).toEqual((await exposedTables(client)).sort());
  });

  test.each(Object.keys(ACCESS))(
    'SEC-13 TRUST-03 %s: each verb gives each persona exactly the declared rows',
    async (table) => {
      const declared = ACCESS[table];
      if (!declared) throw new Error(`${table} is not declared`);
      expect(await evaluateTable(client, table)).toEqual(withHidden(declared));
    },
  );

  test.each(Object.keys(ACCESS))('control: %s has rows, and each is visible to at least one persona', async (table) => {
    const labels = labelsOf(table);
    expect(labels).not.toEqual([]);
    for (const label of labels) {
      const { rows } = await client.query(`select 1 from ${table} where id = $1`, [keyOf(table, label)]);
      expect(rows, label).toHaveLength(1);
      const seers = PERSONA_NAMES.filter((persona) => includes(ACCESS[table]?.select[persona], label));
      expect(seers.length, `${label} is seen by nobody`).toBeGreaterThan(0);
    }
  });

  test('control: every refused write succeeds as the owner of the schema', async () => {
    for (const table of Object.keys(ACCESS)) {
      const [label] = labelsOf(table);
      // A view of two tables is not writable by anyone.
      if (!label || VIEWS.has(table)) continue;
      for (const verb of VERBS.filter((name) => name === 'update' || name === 'delete')) {
        await client.query("savepoint control; select set_config('storage.allow_delete_query', 'true', true)");
        const run = client.query(
          verb === 'update' ? await updateOf(client, table) : `delete from ${table} where id = $1`,
          [keyOf(table, label)],
        );
        const outcome = await run.then(
          (result) => `${result.rowCount} row`,
          (error: Error) => error.message,
        );
        await client.query('rollback to savepoint control');
        // An error from an append-only trigger or a foreign key also shows that the statement reached the row.
        expect(outcome, `${verb} ${table}`).toMatch(/^1 row$|append-only|violates foreign key/);
      }
    }
  });
});

describe('privileges beyond rows', () => {
  test('no API role may truncate, reference or add triggers to a table; the schema private is closed', async () => {
    const { rows } = await client.query(`
      select n.nspname || '.' || c.relname as name, r.rolname as role, p.privilege
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      cross join (select rolname from pg_roles where rolname in ('anon', 'authenticated', 'service_role')) r
      cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) p (privilege)
      where n.nspname in ('public', 'private') and c.relkind in ('r', 'p', 'v', 'm')
        and (n.nspname = 'private' or p.privilege in ('truncate', 'references', 'trigger'))
        and has_table_privilege(r.rolname, c.oid, p.privilege)`);
    expect(rows).toEqual([]);
  });

  test('no API role may use a sequence', async () => {
    const { rows } = await client.query(`
      select c.relname, r.rolname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      cross join (select rolname from pg_roles where rolname in ('anon', 'authenticated', 'service_role')) r
      where n.nspname in ('public', 'private') and c.relkind = 'S' and has_sequence_privilege(r.rolname, c.oid, 'usage, select, update')`);
    expect(rows).toEqual([]);
  });

  test('the service role reads tables, and writes only the outbox and the settings', async () => {
    const { rows } = await client.query(`
      select c.relname as name, p.privilege from pg_class c
      cross join unnest(array['insert', 'update', 'delete']) p (privilege)
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and has_table_privilege('service_role', c.oid, p.privilege)
      order by 1, 2`);
    expect(rows).toEqual([
      { name: 'app_settings', privilege: 'update' },
      { name: 'outbox_events', privilege: 'update' },
    ]);
  });
});

test('the fixture names only tables that exist', () => {
  expect(Object.keys(FIXTURE).filter((table) => !ACCESS[table])).toEqual([]);
});

const includes = (cell: Cell | undefined, label: string): boolean =>
  cell !== undefined && cell !== 'denied' && cell.includes(label);
