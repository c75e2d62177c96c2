import { formatCount, formatNumber } from '@/lib/format';
import { outcomeUnknownSentence } from '@/lib/send-once';
import type { Submission } from './queries';
import type { Rejection, RejectionReason } from './submission';

export type Decision = 'approve' | 'reject';

/** Decision and note for the member; `reason` for a rejection only. */
export type Verdict = { decision: Decision; note: string; reason?: RejectionReason };

/** One decision on several submissions, queued until it is sent. */
export type PendingReview = Verdict & {
  ids: readonly string[];
  /** They were selected in the list; Undo selects them again. */
  isSelection?: boolean;
};

/** Fields of a submission that a decision changes. */
export type Reviewed = Pick<
  Submission,
  'id' | 'status' | 'reviewed_by' | 'reviewed_at' | 'review_note' | 'rejection_reason'
>;

/** The note that an approval carries (SUBM-09). */
export const approval: Verdict = { decision: 'approve', note: 'Approved by project owner' };
export const rejection = (because: Rejection): Verdict => ({ decision: 'reject', ...because });

/** The result of sending a review: the submissions as they are now, and why the others were refused, by id. */
export type Outcome = { reviewed: Reviewed[]; failures: ReadonlyMap<string, string> };

/** Status of a submission after a decision; also the word for it. */
export const decidedStatus = { approve: 'approved', reject: 'rejected' } as const;

/** '1 submission approved', shown immediately. */
export function formatDecision({ ids, decision }: PendingReview): string {
  return `${formatCount(ids.length, 'submission')} ${decidedStatus[decision]}`;
}

/** '18 approved, 2 failed: This submission has already been reviewed'. What is unknown is not called a failure (C-99). */
export function failureText({ decision, ids }: PendingReview, { reviewed, failures }: Outcome): string {
  const reasons = [...new Set(failures.values())].join(' ');
  const isUnknown = reasons === outcomeUnknownSentence;
  if (ids.length === 1) return isUnknown ? reasons : `Failed to review submission: ${reasons}`;
  const done = `${formatNumber(reviewed.length)} ${decidedStatus[decision]}`;
  return `${done}, ${formatNumber(failures.size)} ${isUnknown ? 'unknown' : 'failed'}: ${reasons}`;
}
