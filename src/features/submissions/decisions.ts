import { formatNumber } from '@/lib/format';
import type { Submission } from './queries';

export type Decision = 'approve' | 'reject';

/** One decision about several submissions, with the note that each of them gets. */
export type Batch = { ids: readonly string[]; decision: Decision; note: string };

/** What came of a batch: the submissions as they are now, and why the others were refused, by id. */
export type Outcome = { reviewed: Submission[]; failures: ReadonlyMap<string, string> };

/** Notes that a review carries when the owner gives none (SUBM-09). */
export const defaultNotes = { approve: 'Approved by project owner', reject: 'Rejected by project owner' } as const;

const decisionLabels = { approve: 'approved', reject: 'rejected' } as const;

/** '1 submission approved', as the owner sees it at once. */
export function formatDecision({ ids, decision }: Batch): string {
  return `${formatNumber(ids.length)} ${ids.length === 1 ? 'submission' : 'submissions'} ${decisionLabels[decision]}`;
}

/** '18 approved, 2 failed: This submission has already been reviewed' */
export function failureText({ decision }: Batch, { reviewed, failures }: Outcome): string {
  const reasons = [...new Set(failures.values())].join(' ');
  return `${formatNumber(reviewed.length)} ${decisionLabels[decision]}, ${formatNumber(failures.size)} failed: ${reasons}`;
}
