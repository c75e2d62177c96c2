import type { ApiCall } from '@/lib/testing/fake-api';
import { questId } from '@/lib/testing/quest-rows';
import type { ReviewedSubmission } from '../queries';

/** A row of list_review_submissions, pending unless overridden. */
export function reviewedRow(overrides: Partial<ReviewedSubmission> = {}): ReviewedSubmission {
  return {
    id: 's1',
    campaign_id: questId,
    campaign_title: 'Test our app',
    task_id: 't1',
    task_title: 'Try the app',
    task_points: 50,
    user_id: 'user_1',
    member_name: 'Ada',
    participant_email: null,
    proof_url: null,
    proof_text: 'Done',
    status: 'pending',
    reward_points: 50,
    reviewed_by: null,
    review_note: null,
    rejection_reason: null,
    reviewed_at: null,
    submitted_at: '2026-01-02T03:04:05+00:00',
    flags: [],
    review_due_at: '2026-01-05T03:04:05+00:00',
    kept_until: null,
    appealed_at: null,
    appeal_note: null,
    ...overrides,
  };
}

export type ReviewCall = { p_submission_ids: string[]; p_decision: string; p_note?: string; p_reason?: string };

const places = ['pending', 'approved', 'rejected'];
const orders: Record<string, (row: ReviewedSubmission) => string> = {
  status: (row) => `${places.indexOf(row.status)} ${row.review_due_at} ${row.submitted_at} ${row.id}`,
  task: (row) => `${row.campaign_id} ${row.task_id} ${row.submitted_at} ${row.id}`,
  member: (row) => `${row.member_name} ${row.user_id} ${row.submitted_at} ${row.id}`,
  oldest: (row) => `${row.submitted_at} ${row.id}`,
};

/** Fakes the review procedures over these submissions; `refused` are never decided. */
export function reviewServer(initial: readonly ReviewedSubmission[], { refused = [] as string[] } = {}) {
  let rows = [...initial];
  const sent: ReviewCall[] = [];

  const list = ({ params }: ApiCall) => {
    const [sort = 'status', search = ''] = [params.get('p_sort') ?? undefined, params.get('p_search') ?? undefined];
    const key = orders[sort === 'newest' ? 'oldest' : sort.replace('-', '')] ?? String;
    const is = (name: string, value: string) => params.get(name) === null || params.get(name) === value;
    const text = (row: ReviewedSubmission) =>
      `${row.member_name} ${row.user_id} ${row.participant_email} ${row.task_title} ${row.campaign_title} ${row.proof_url}`;
    const found = rows
      .filter(
        (row) => is('p_campaign_id', row.campaign_id) && is('p_task_id', row.task_id) && is('p_status', row.status),
      )
      .filter(({ flags }) => params.get('p_is_flagged') !== 'true' || (Array.isArray(flags) && flags.length > 0))
      .filter((row) => text(row).toLowerCase().includes(search.toLowerCase()))
      .sort((a, b) => (key(a) < key(b) ? -1 : 1));
    if (sort === 'newest' || sort.startsWith('-')) found.reverse();
    const start = found.findIndex(({ id }) => id === params.get('p_cursor')) + 1;
    return found.slice(start, start + Number(params.get('p_limit') ?? 100)).map((row) => ({ ...row, cursor: row.id }));
  };

  const decide = ({ body }: ApiCall) => {
    const call = body as ReviewCall;
    sent.push(call);
    return call.p_submission_ids.map((id) => {
      const row = rows.find((other) => other.id === id);
      const isOpen = row?.status === 'pending' && !refused.includes(id);
      const reviewed = {
        status: call.p_decision === 'approve' ? ('approved' as const) : ('rejected' as const),
        reviewed_by: 'project',
        review_note: call.p_note ?? null,
        reviewed_at: '2026-01-05T00:00:00+00:00',
        rejection_reason: (call.p_reason ?? null) as ReviewedSubmission['rejection_reason'],
      };
      if (isOpen) rows = rows.map((other) => (other.id === id ? { ...other, ...reviewed } : other));
      const nothing = Object.fromEntries(Object.keys(reviewed).map((name) => [name, null]));
      return isOpen
        ? { submission_id: id, ...reviewed, error_code: null, error_message: null }
        : {
            submission_id: id,
            ...nothing,
            error_code: 'ALREADY_REVIEWED',
            error_message: 'This submission has already been reviewed',
          };
    });
  };

  const counts = () =>
    [...new Set(rows.map(({ campaign_id }) => campaign_id))].map((id) => {
      const own = rows.filter(({ campaign_id }) => campaign_id === id);
      const count = (status: string) => own.filter((row) => row.status === status).length;
      const waiting = own.flatMap((row) => (row.status === 'pending' ? (row.review_due_at ?? []) : []));
      return {
        campaign_id: id,
        title: own[0]?.campaign_title,
        quest_status: 'published',
        pending_count: count('pending'),
        approved_count: count('approved'),
        rejected_count: count('rejected'),
        flagged_count: 0,
        next_due_at: waiting.sort()[0] ?? null,
      };
    });

  return {
    routes: {
      'rpc list_review_submissions': list,
      'rpc review_submissions': decide,
      'rpc get_review_counts': counts,
    },
    /** The review calls, in order. */
    sent,
    /** Simulates a concurrent change by somebody else. */
    change: (next: readonly ReviewedSubmission[]) => {
      rows = [...next];
    },
  };
}
