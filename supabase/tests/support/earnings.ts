import { asService, sql } from '../../../local/testing/clients.ts';
import { type Member, unwrap } from './factories.ts';

/** Changes timestamps in the ledger, which only a test may do. */
export async function moveTransfers(ids: number[], weeksAgo: number): Promise<void> {
  const client = await sql().connect();
  try {
    await client.query('begin');
    await client.query('alter table public.transfers disable trigger transfers_append_only');
    // In the middle of that week, whatever today's weekday; in this week, long enough ago for the roll-up.
    await client.query(
      `update public.transfers set created_at = greatest(w.begin, least(w.begin + interval '1 day', now() - interval '2 minutes'))
       from (select (private.week_of(now()) - 7 * $2::integer)::timestamp at time zone 'UTC' as begin) w where id = any ($1)`,
      [ids, weeksAgo],
    );
    await client.query('alter table public.transfers enable trigger transfers_append_only');
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Points of a task completed some weeks ago. */
export async function earn(
  who: Member,
  points: number,
  weeksAgo: number,
  description = 'Task completion',
): Promise<number> {
  const credit = { p_user_id: who.id, p_points: points, p_description: description };
  const id = await unwrap(asService().rpc('credit_points_safe', credit));
  if (weeksAgo > 0) await moveTransfers([id], weeksAgo);
  return id;
}

/** Rolls up the ledger, as the worker does, except the last minute. */
export const rollUp = () => sql().query("select private.roll_up_figures('0 seconds')");
