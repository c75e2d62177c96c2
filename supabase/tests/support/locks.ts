import type { PoolClient } from 'pg';
import { expect } from 'vitest';
import { sql } from '../../../local/testing/clients.ts';
import type { Member } from './factories.ts';
import { actAs } from './rolled-back.ts';

/** Resolves once so many calls in this file's database wait for a lock. */
export async function untilWaiting(calls = 1): Promise<void> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await sql().query(waiting)).rowCount).toBe(calls);
}

/** Answer of `second`, which waits for what `first` has done in a transaction that is not committed before. */
export async function answerDuring<T>(
  first: (client: PoolClient) => Promise<unknown>,
  second: () => PromiseLike<T>,
): Promise<T> {
  const client = await sql().connect();
  try {
    await client.query('begin');
    await first(client);
    // A request of the client library is not sent before somebody waits for it.
    const answer = Promise.resolve(second());
    await untilWaiting();
    await client.query('commit');
    return await answer;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** The same with a procedure that `by` calls: 'delete_campaign($1)'. */
export const answerAfter = <T>(by: Member, procedure: string, values: unknown[], second: () => PromiseLike<T>) =>
  answerDuring(async (client) => {
    await actAs(client, by);
    await client.query(`select public.${procedure}`, values);
  }, second);
