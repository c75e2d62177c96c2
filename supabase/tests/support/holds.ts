import { sql } from '../../../local/testing/clients.ts';
import { type Member, type Owner, outsideBeta, submitProof, unwrap } from './factories.ts';

/** A member's wallet as a screen shows it, read as superuser. */
export async function balanceOf(userId: string): Promise<{ available: number; held: number }> {
  const { rows } = await sql().query<{ available: string; held: string }>(
    'select points - held_points as available, held_points as held from public.wallets where user_id = $1',
    [userId],
  );
  return { available: Number(rows[0]?.available ?? 0), held: Number(rows[0]?.held ?? 0) };
}

/** The member's holds, oldest first: `open`, the reason of the release, or `reversed`. */
export async function holdsOf(userId: string): Promise<{ reason: string; points: number; state: string }[]> {
  const { rows } = await sql().query(
    `select reason, points::integer, coalesce(release_reason, case when reversed_at is null then 'open' else 'reversed' end) as state
    from public.point_holds where user_id = $1 order by id`,
    [userId],
  );
  return rows;
}

/** Backdates everything in this database by this interval. */
export async function letDaysPass(days: number): Promise<void> {
  const client = await sql().connect();
  try {
    await client.query('begin');
    await client.query('alter table public.transfers disable trigger transfers_append_only');
    await client.query('update public.transfers set created_at = created_at - make_interval(days => $1)', [days]);
    await client.query('alter table public.transfers enable trigger transfers_append_only');
    await client.query(
      `update public.point_holds set created_at = created_at - make_interval(days => $1),
        due_at = due_at - make_interval(days => $1), check_at = check_at - make_interval(days => $1)`,
      [days],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Flags a submission. */
export const flag = (submissionId: string) =>
  sql().query(
    `insert into public.submission_flags (submission_id, campaign_id, user_id, kind)
    select id, campaign_id, user_id, 'same_link' from public.submissions where id = $1`,
    [submissionId],
  );

/** A proof that its owner approves, as outside beta, for 10 points. */
export const approvedBy = (owner: Owner, member: Member, taskId: string) =>
  outsideBeta(async () => {
    const { id } = await unwrap(submitProof(member, taskId));
    return unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
  });
