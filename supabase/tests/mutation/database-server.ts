import type { TestProject } from 'vitest/node';
import { withClient } from '../../../local/database/connection.ts';
import { testEnv } from '../../../local/testing/clients.ts';
import startServer from '../../../local/testing/database-server.ts';

/**
 * The database server for mutation runs: each connection reports which functions it has called at the end of every request, and a mutant
 * that never finishes is stopped.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stop = await startServer(project);
  await withClient(testEnv().ADMIN_DATABASE_URL, async (client) => {
    await client.query("alter system set track_functions = 'all'");
    await client.query('select pg_reload_conf()');
    await client.query("alter role authenticator set pgrst.db_pre_request = 'pg_catalog.pg_stat_force_next_flush'");
    // Longer than the product's own timeout, which a busy machine would reach without any mutant, but not longer than a test may take.
    for (const role of ['anon', 'authenticated', 'authenticator', 'postgres'])
      await client.query(`alter role ${role} set statement_timeout = '18s'`);
  });
  return stop;
}
