import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testEnv } from '../../../local/testing/clients.ts';
import { newMember } from '../support/factories.ts';
import { RowSnapshot } from './row-snapshot.ts';

let client: pg.Client;
beforeEach(async () => {
  client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });
  await client.connect();
});
afterEach(() => client.end());

const contents = async () =>
  (
    await client.query(
      "select coalesce(string_agg(p::text, '|' order by p.user_id), '') as rows from public.user_profiles p",
    )
  ).rows[0].rows;

test('restores inserted, updated and deleted rows, repeatedly', async () => {
  const [kept, removed] = [await newMember(), await newMember()];
  const rows = await RowSnapshot.of(client);
  await rows.take();
  const before = await contents();
  for (let round = 0; round < 2; round += 1) {
    await newMember();
    await client.query("update public.user_profiles set username = 'Someone' where user_id = $1", [kept.id]);
    await client.query("set session_replication_role = 'replica'");
    await client.query('delete from public.user_profiles where user_id = $1', [removed.id]);
    await client.query('reset session_replication_role');
    expect(await contents()).not.toBe(before);
    await rows.restore([]);
    expect(await contents()).toBe(before);
  }
});

test('restores rows and definitions in whichever order works', async () => {
  await client.query('create unique index probe on private.worker_runs (last_problem)');
  await client.query("insert into private.worker_runs (worker, last_problem) values ('one', 'x')");
  const rows = await RowSnapshot.of(client);
  await rows.take();
  const stored = async () => (await client.query('select worker from private.worker_runs order by 1')).rows;
  // A unique index can be restored only after the rows.
  await client.query('drop index private.probe');
  await client.query("insert into private.worker_runs (worker, last_problem) values ('two', 'x')");
  await rows.restore(['create unique index probe on private.worker_runs (last_problem)']);
  expect(await stored()).toEqual([{ worker: 'one' }]);
  // Rows can be restored only after a check that they violate has been dropped.
  await client.query('delete from private.worker_runs');
  await client.query("alter table private.worker_runs add constraint probe check (worker <> 'one')");
  await rows.restore(['alter table private.worker_runs drop constraint probe']);
  expect(await stored()).toEqual([{ worker: 'one' }]);
});
