import type { Status } from '@/components/status-badge';
import { formatDate, formatPoints } from '@/lib/format';
import * as databaseSentences from '@/types/database-errors';
import type { Submission } from './queries';

/** Status of a task by the member's submission; without one 'Not Started' (QUEST-04). Nothing can be tried again during an appeal. */
export function taskStatus(submission: (Pick<Submission, 'status'> & Partial<Appealed>) | undefined): Status {
  if (!submission) return 'Not Started';
  if (isAppealOpen(submission)) return 'Under Appeal';
  return ({ pending: 'Processing', approved: 'Completed', rejected: 'Try Again' } as const)[submission.status];
}

/** Status of a submission for its reviewer (SUBM-08); a rejection may be under appeal (BEY-23). */
export function reviewStatus(submission: Pick<Submission, 'status'> & Partial<Appealed>): Status {
  if (isAppealOpen(submission)) return 'Under Appeal';
  return ({ pending: 'Pending', approved: 'Approved', rejected: 'Rejected' } as const)[submission.status];
}

/** Characters of a text proof that the table shows (SUBM-05). */
const previewLength = 50;

/** Whether the review time has passed. A proof that must not be approved automatically still waits then. */
export const isOverdue = (dueAt: string): boolean => Date.parse(dueAt) < Date.now();

/** Short description of a proof: 'Link Proof' for a link or screenshot, else the start of the text. */
export function proofPreview({ proof_url, proof_text }: Pick<Submission, 'proof_url' | 'proof_text'>): string {
  if (proof_url) return 'Link Proof';
  const text = proof_text ?? '';
  return text.length > previewLength ? `${text.slice(0, previewLength)}...` : text;
}

type Appealed = Pick<Submission, 'kept_until' | 'appealed_at'>;
type Kept = Appealed & Pick<Submission, 'status' | 'is_slot_reopened'>;

/** Whether the member's appeal against the rejection is being decided (BEY-23). */
export const isAppealOpen = ({
  status,
  kept_until,
  appealed_at,
}: Pick<Submission, 'status'> & Partial<Appealed>): boolean =>
  status === 'rejected' && Boolean(kept_until && appealed_at);

/** Whether a rejected proof may be resubmitted now: its spot is kept, or another one is free (C-08, BEY-23). */
export const canTryAgain = (submission: Kept, hasFreeSpot: boolean): boolean =>
  !isAppealOpen(submission) && ((submission.kept_until !== null && !submission.is_slot_reopened) || hasFreeSpot);

/** Shown when a proof sent from another tab is the one that counts. */
export const otherProofSentence = 'You had already sent another proof for this task, so this one was not sent.';

/** The message after submitting: approved at once in beta (QUEST-14), or waiting for the project's review. */
export function completedMessage({ status, reward_points }: Pick<Submission, 'status' | 'reward_points'>): string {
  if (status !== 'approved') return 'Proof submitted. The project will review it.';
  // A quest may pay no points at all.
  return reward_points > 0 ? `Task completed! +${formatPoints(reward_points)} points earned!` : 'Task completed!';
}

/** Who decided, as text (C-102): the project, worded for the viewer, or Questboard, by a person or by rule. */
export function decidedBy(reviewedBy: string | null, project: 'you' | 'the project'): string | null {
  if (reviewedBy === null) return null;
  return reviewedBy === 'project' ? project : 'Questboard';
}

/** Approved because nobody decided in time (BEY-22). */
export const isByDeadline = (reviewedBy: string | null): boolean => reviewedBy === 'deadline';

/** Labels of verified actions (BEY-13), by `reviewed_by`. */
const verifiedHow: Readonly<Record<string, string>> = {
  code: 'Verified by code',
  call: 'Confirmed by the project’s system',
  check: 'Confirmed by a check',
};

/** Why the server approved without a reviewer: the beta, or a verified action; null when somebody decided. */
export function approvedHow({ status, reviewed_by }: Pick<Submission, 'status' | 'reviewed_by'>): string | null {
  if (status !== 'approved') return null;
  return reviewed_by === 'beta' ? 'Auto-approved (Beta)' : (verifiedHow[reviewed_by ?? ''] ?? null);
}

/** How a decision was made, below its badge (C-69): automatic in beta, or who decided and when. */
export function decidedHow({ status, reviewed_by, reviewed_at }: Decided): string | null {
  const how = approvedHow({ status, reviewed_by });
  if (how) return how;
  if (isByDeadline(reviewed_by) && reviewed_at) return `when its review time ended, ${formatDate(reviewed_at)}`;
  const who = decidedBy(reviewed_by, 'you');
  return who && reviewed_at ? `by ${who}, ${formatDate(reviewed_at)}` : null;
}
type Decided = Pick<Submission, 'status' | 'reviewed_by' | 'reviewed_at'>;

export type RejectionReason = NonNullable<Submission['rejection_reason']>;

/** The six rejection reasons (C-77), in display order. */
export const rejectionReasons: Readonly<Record<RejectionReason, string>> = {
  does_not_match: 'Does not match the task',
  cannot_open: 'Cannot be opened or read',
  not_own: 'Not the member’s own',
  incomplete: 'Incomplete',
  duplicate: 'Duplicate',
  other: 'Other',
};

/** The reason for a digit key, from 1; undefined for any other key. */
export const reasonOfKey = (key: string): RejectionReason | undefined =>
  (Object.keys(rejectionReasons) as RejectionReason[])[Number(key) - 1];

/** `note`: required for 'other'. */
export type Rejection = { reason: RejectionReason; note: string };

/** Validation errors of a rejection, by field. */
export function rejectionProblems({ reason, note }: { reason: RejectionReason | ''; note: string }) {
  return {
    reason: reason === '' ? databaseSentences.REASON_REQUIRED : undefined,
    note: reason === 'other' && note.trim() === '' ? databaseSentences.REASON_WORDS_REQUIRED : undefined,
  };
}

/** Reason and note of a decision in one line: 'Incomplete: the second page is missing'. Null without either. */
export function reviewText(row: Pick<Submission, 'rejection_reason' | 'review_note'>): string | null {
  const label =
    row.rejection_reason && row.rejection_reason !== 'other' ? rejectionReasons[row.rejection_reason] : null;
  return [label, row.review_note].filter(Boolean).join(': ') || null;
}
