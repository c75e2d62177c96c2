import * as databaseSentences from '@/types/database-errors';
import type { Submission } from './queries';

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
