import type pg from 'pg';
import { sql, testEnv } from '../../../local/testing/clients.ts';
import type { Member } from './factories.ts';

/** Runs this in a transaction of the database's owner that is rolled back. now() stands still in it. */
export async function rolledBack<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await sql().connect();
  try {
    await client.query('begin');
    return await run(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** What follows in this transaction is called as this person, as PostgREST calls it. */
export async function actAs(client: pg.PoolClient, { id, claims }: Member): Promise<void> {
  await client.query("select set_config('request.jwt.claims', $1, true), set_config('role', 'authenticated', true)", [
    JSON.stringify({ ...claims, iss: testEnv().IDENTITY_ISSUER, role: 'authenticated', sub: id }),
  ]);
}
