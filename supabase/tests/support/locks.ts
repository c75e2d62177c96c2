import type { PoolClient } from 'pg';
import { expect } from 'vitest';
import { sql } from '../../../local/testing/clients.ts';
import { type Member, unwrap } from './factories.ts';
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

/** A statement that locks a row. */
export type Lock = [query: string, values: unknown[]];

export const lockOf = (from: string, id: string): Lock => [
  `select 1 from ${from} where id = $1 for no key update nowait`,
  [id],
];
export const walletOf = async (column: 'user_id' | 'startup_id' | 'campaign_id', id: string): Promise<Lock> =>
  lockOf('public.wallets', (await sql().query(`select id from public.wallets where ${column} = $1`, [id])).rows[0].id);

/** Holds `first`, starts the call, and takes `later` once the call waits for `first`. Fails if the call has already locked it. */
export async function waitsWith(
  first: Lock,
  call: () => PromiseLike<{ error: unknown; data: unknown }>,
  later: Lock,
): Promise<void> {
  const holder = await sql().connect();
  try {
    await holder.query('begin');
    await holder.query(...first);
    const answer = unwrap(call());
    await untilWaiting();
    const taken = await holder.query(...later).then(
      () => 'taken',
      (error: { code: string }) => error.code,
    );
    await holder.query('rollback');
    await answer;
    expect(taken).toBe('taken');
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}
