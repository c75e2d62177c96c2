import { expect } from 'vitest';
import { sql } from '../../../local/testing/clients.ts';

/** Resolves once so many calls in this file's database wait for a lock. */
export async function untilWaiting(calls = 1): Promise<void> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await sql().query(waiting)).rowCount).toBe(calls);
}
