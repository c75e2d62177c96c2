import { sql } from '../../../local/testing/clients.ts';

export interface ManySubmissions {
  /** Tasks without points, added for these submissions, so that no payments are due. */
  tasks: number;
  rows: number;
  /** SQL expressions over the row's number `n`, from 0 on. */
  status?: string;
  userId?: string;
  text?: string;
  url?: string;
  submittedAt?: string;
}

/**
 * Fills a quest with more submissions than could be made one by one, directly in the database and with correct counters. The rows are
 * spread evenly over the added tasks. Returns the ids of all tasks of the quest in order.
 */
export async function fillQuest(campaignId: string, many: ManySubmissions): Promise<string[]> {
  const { status = "'pending'", userId = "'pool-' || n", text = "'proof ' || n", url = 'null' } = many;
  const submittedAt = many.submittedAt ?? "now() - n * interval '1 second'";
  const connection = await sql().connect();
  try {
    await connection.query('begin');
    const { rows: added } = await connection.query<{ id: string }>(
      `insert into public.tasks (campaign_id, title, type, reward_points, max_completions, order_index)
        select $1, 'Extra task ' || n, 'visit', 0, 1000, n from generate_series(1, $2) n returning id`,
      [campaignId, many.tasks],
    );
    await connection.query(
      `insert into public.submissions (task_id, campaign_id, user_id, proof_text, proof_url, reward_points, status, submitted_at)
        select ($2::uuid[])[1 + n % $3], $1, ${userId}, ${text}, ${url}, 0, (${status})::public.submission_status, ${submittedAt}
        from generate_series(0, $4 - 1) n`,
      [campaignId, added.map(({ id }) => id), many.tasks, many.rows],
    );
    await connection.query(
      `update public.tasks t set pending_count = x.pending, approved_count = x.approved
        from (select s.task_id, count(*) filter (where s.status = 'pending') as pending,
            count(*) filter (where s.status = 'approved') as approved
          from public.submissions s where s.campaign_id = $1 group by s.task_id) x where x.task_id = t.id`,
      [campaignId],
    );
    await connection.query(
      `update public.campaigns c set submission_count = x.total, participant_count = x.participants, pending_count = x.pending,
          approved_count = x.approved, task_count = y.tasks, total_slots = y.slots
        from (select count(*) as total, count(distinct s.user_id) as participants,
            count(*) filter (where s.status = 'pending') as pending, count(*) filter (where s.status = 'approved') as approved
          from public.submissions s where s.campaign_id = $1) x,
          (select count(*) as tasks, sum(t.max_completions) as slots
          from public.tasks t where t.campaign_id = $1) y
        where c.id = $1`,
      [campaignId],
    );
    await connection.query('commit');
    const { rows: tasks } = await connection.query<{ id: string }>(
      'select id from public.tasks where campaign_id = $1 order by order_index, id',
      [campaignId],
    );
    return tasks.map(({ id }) => id);
  } finally {
    connection.release();
  }
}
