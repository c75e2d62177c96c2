import * as databaseSentences from '@/types/database-errors';
import type { Submission } from './queries';

export type RejectionReason = NonNullable<Submission['rejection_reason']>;

/** The six reasons for a rejection (C-77), in the order in which they are offered. */
export const rejectionReasons: Readonly<Record<RejectionReason, string>> = {
  does_not_match: 'Does not match the task',
  cannot_open: 'Cannot be opened or read',
  not_own: 'Not the member’s own',
  incomplete: 'Incomplete',
  duplicate: 'Duplicate',
  other: 'Other',
};

/** The reason that stands at the place of this digit, from 1; undefined for any other key. */
export const reasonOfKey = (key: string): RejectionReason | undefined =>
  (Object.keys(rejectionReasons) as RejectionReason[])[Number(key) - 1];

/** `note`: the reviewer's own words, which 'other' needs. */
export type Rejection = { reason: RejectionReason; note: string };

/** What is missing before a rejection can be sent, by field. */
export function rejectionProblems({ reason, note }: { reason: RejectionReason | ''; note: string }) {
  return {
    reason: reason === '' ? databaseSentences.REASON_REQUIRED : undefined,
    note: reason === 'other' && note.trim() === '' ? databaseSentences.REASON_WORDS_REQUIRED : undefined,
  };
}

/** Reason and words of a decision in one line: 'Incomplete: the second page is missing'. Null when nothing was said. */
export function reviewText(row: Pick<Submission, 'rejection_reason' | 'review_note'>): string | null {
  const label =
    row.rejection_reason && row.rejection_reason !== 'other' ? rejectionReasons[row.rejection_reason] : null;
  return [label, row.review_note].filter(Boolean).join(': ') || null;
}
