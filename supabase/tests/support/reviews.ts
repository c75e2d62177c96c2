import { asService, sql } from '../../../local/testing/clients.ts';
import { unwrap } from './factories.ts';

/**
 * Backdates pending, rejected and appealed submissions with their history. Not approved ones: the keys of their
 * payments contain the time of submission.
 */
export async function letHoursPass(hours: number): Promise<void> {
  const client = await sql().connect();
  try {
    await client.query('begin');
    await client.query('alter table public.submission_history disable trigger submission_history_append_only');
    await client.query(
      `update public.submission_history set created_at = created_at - make_interval(hours => ${hours}),
        submitted_at = submitted_at - make_interval(hours => ${hours}), review_due_at = review_due_at - make_interval(hours => ${hours})`,
    );
    await client.query('alter table public.submission_history enable trigger submission_history_append_only');
    await client.query(
      `update public.submissions set submitted_at = submitted_at - make_interval(hours => ${hours}),
        review_due_at = review_due_at - make_interval(hours => ${hours}), review_check_at = review_check_at - make_interval(hours => ${hours}),
        reviewed_at = reviewed_at - make_interval(hours => ${hours}), kept_until = kept_until - make_interval(hours => ${hours}),
        appealed_at = appealed_at - make_interval(hours => ${hours})
      where status <> 'approved'`,
    );
    await client.query(
      `update public.appeals set against_at = against_at - make_interval(hours => ${hours}),
        created_at = created_at - make_interval(hours => ${hours}), due_at = due_at - make_interval(hours => ${hours})
      where kind = 'rejection' and status = 'open'`,
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Runs the scheduled review work; resolves to the number of proofs processed. */
export const settleReviews = (): Promise<number> => unwrap(asService().rpc('settle_due_reviews'));
