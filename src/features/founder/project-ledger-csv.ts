import type { ProjectTransaction } from '@/features/wallet';
import type { CsvColumn } from '@/lib/csv';
import { isoDay } from '@/lib/format';

/** Who decided, worded for a file that may be shared (C-102). */
const deciderWords: Readonly<Record<string, string>> = {
  project: 'the project',
  questboard: 'Questboard',
  beta: 'Questboard (beta)',
  auto: 'Questboard (automatic)',
  code: 'Questboard (completion code)',
  call: 'Questboard (signed call)',
  check: 'Questboard (check)',
};

/** Columns of the project's ledger; the sum of Change is the balance (BEY-06). */
export const ledgerColumns: CsvColumn<ProjectTransaction>[] = [
  { header: 'Date', value: (row) => row.created_at },
  { header: 'Kind', value: (row) => row.kind },
  { header: 'Description', value: (row) => row.description },
  { header: 'Quest', value: (row) => row.campaign_title },
  { header: 'Task', value: (row) => row.task_title },
  { header: 'Member', value: (row) => row.member_name },
  { header: 'Submission ID', value: (row) => row.submission_id },
  { header: 'Decision', value: (row) => row.submission_status },
  { header: 'Decided By', value: (row) => deciderWords[row.reviewed_by ?? ''] },
  { header: 'Change', value: (row) => row.change },
  { header: 'Free After', value: (row) => row.free_after },
  { header: 'Reserved After', value: (row) => row.reserved_after },
  { header: 'Balance After', value: (row) => row.free_after + row.reserved_after },
];

/** `project_points_{date}.csv` */
export const ledgerFileName = (now: Date = new Date()) => `project_points_${isoDay(now)}.csv`;
