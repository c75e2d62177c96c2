import { useRowSelection } from '@/components/data-table';
import { formatCount } from '@/lib/format';
import type { ReviewedSubmission } from './queries';

export const selectionLabel = (row: ReviewedSubmission): string => `Select ${row.task_title} by ${row.member_name}`;

/** Selected submissions among the shown ones; only pending ones can be selected. */
export function useSelection(rows: readonly ReviewedSubmission[]) {
  const {
    selectable: pending,
    selection,
    ...state
  } = useRowSelection(rows, {
    canSelect: ({ status }) => status === 'pending',
    label: selectionLabel,
    allLabel: (count) => `Select ${formatCount(count, 'pending submission')}`,
  });
  // No checkboxes without pending submissions.
  return { ...state, pending, selection: pending.length > 0 ? selection : undefined };
}
