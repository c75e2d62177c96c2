import { expect } from 'vitest';
import { sql } from '../../../local/testing/clients.ts';
import type { Member } from './factories.ts';
import { actAs } from './rolled-back.ts';

/** Resolves once so many calls in this file's database wait for a lock. */
export async function untilWaiting(calls = 1): Promise<void> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await sql().query(waiting)).rowCount).toBe(calls);
}

/** Answer of `second`, which waits for a call of `by` that has not been committed yet. */
export async function answerAfter<T>(
  by: Member,
  first: string,
  values: unknown[],
  second: () => PromiseLike<T>,
): Promise<T> {
  const client = await sql().connect();
  try {
    await client.query('begin');
    await actAs(client, by);
    await client.query(`select public.${first}`, values);
    const answer = second();
    await untilWaiting();
    await client.query('commit');
    return await answer;
  } finally {
    await client.query('rollback');
    client.release();
  }
}
