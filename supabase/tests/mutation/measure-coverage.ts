import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import { withClient } from '../../../local/database/connection.ts';
import { closeSql, testEnv } from '../../../local/testing/clients.ts';
import { countsFile } from './coverage.ts';

/** Set-up file of the coverage run: writes down which functions a test file has called and which tables it has changed. */
const directory = process.env.MUTATION_COVERAGE ?? '';
const databaseUrl = testEnv().ADMIN_DATABASE_URL;

await withClient(databaseUrl, async (client) => {
  await client.query("alter system set track_functions = 'all'");
  await client.query('select pg_reload_conf()');
});

afterAll(async () => {
  await closeSql();
  const counts = await withClient(databaseUrl, async (client) => {
    // A connection reports what it has done when it ends.
    const { rows: ended } = await client.query<{ pid: number }>(`
      with others as materialized (
        select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      )
      select pid from others where pg_terminate_backend(pid)`);
    await vi.waitFor(async () => {
      const { rows } = await client.query('select 1 from pg_stat_activity where pid = any ($1)', [
        ended.map(({ pid }) => pid),
      ]);
      expect(rows).toEqual([]);
    });
    const { rows } = await client.query<{ name: string; calls: string }>(`
      select 'function ' || funcid::regprocedure::text as name, calls from pg_stat_user_functions
      where schemaname in ('public', 'private')
      union all
      select 'table ' || relid::regclass::text, n_tup_ins + n_tup_upd + n_tup_del from pg_stat_user_tables
      where schemaname in ('public', 'private') and n_tup_ins + n_tup_upd + n_tup_del > 0`);
    return Object.fromEntries(rows.map(({ name, calls }) => [name, Number(calls)]));
  });
  writeFileSync(join(directory, countsFile(expect.getState().testPath ?? '')), JSON.stringify(counts));
});
