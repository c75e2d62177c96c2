import type { StatusWord } from '@/components/status-stamp';
import type { Submission } from './queries';

/** Stamp of a task by the member's submission of it; none yet: 'Not Started' (QUEST-04). */
export function taskStamp(submission: Pick<Submission, 'status'> | undefined): StatusWord {
  if (!submission) return 'Not Started';
  return ({ pending: 'Processing', approved: 'Completed', rejected: 'Try Again' } as const)[submission.status];
}

/** Stamp of a submission for who reviews it: green, red, or a warning colour (SUBM-08). */
export const reviewStamp = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
} as const satisfies Record<Submission['status'], StatusWord>;
