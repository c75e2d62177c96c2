import { decidedBy } from '@/features/submissions';
import type { OwnTransaction } from '@/features/wallet';
import type { CsvColumn } from '@/lib/csv';

/** The id of what caused a movement, for whoever looks it up: a submission, a redemption or a referral. */
function sourceOf(row: Pick<OwnTransaction, 'submission_id' | 'redemption_id' | 'referral_id'>): string | null {
  if (row.submission_id) return `submission ${row.submission_id}`;
  if (row.redemption_id) return `redemption ${row.redemption_id}`;
  return row.referral_id && `referral ${row.referral_id}`;
}

/** One's own ledger as a file, newest first: the changes add up to the balance of the first line (BEY-06). */
export const historyColumns: CsvColumn<OwnTransaction>[] = [
  { header: 'Time (UTC)', value: (row) => row.created_at },
  { header: 'What', value: (row) => row.description },
  { header: 'Kind', value: (row) => row.kind },
  { header: 'Change', value: (row) => row.change },
  { header: 'Balance', value: (row) => row.balance_after },
  { header: 'Still held', value: (row) => row.held_points },
  { header: 'Quest', value: (row) => row.campaign_title },
  { header: 'Project', value: (row) => row.startup_name },
  { header: 'Task', value: (row) => row.task_title },
  { header: 'Proof', value: (row) => row.proof_url ?? row.proof_text },
  { header: 'Decision', value: (row) => row.submission_status },
  { header: 'Decided by', value: (row) => decidedBy(row.reviewed_by, 'the project') },
  { header: 'Decided at (UTC)', value: (row) => row.reviewed_at },
  { header: 'Source', value: (row) => sourceOf(row) },
  { header: 'Transfer', value: (row) => row.id },
];
