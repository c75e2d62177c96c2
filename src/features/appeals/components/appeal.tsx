import type { ReactNode } from 'react';
import { lazyOverlay } from '@/components/lazy-overlay';
import { formatDate, formatDateTime } from '@/lib/format';
import type { Appeal } from '../queries';
import type { AppealDialogProps } from './appeal-dialog-content';

/** The dialog in which an appeal is written. */
export const AppealDialog = lazyOverlay<AppealDialogProps>(() => import('./appeal-dialog-content'));

/** When an appeal was sent, and its outcome. */
export function AppealState({ appeal }: { appeal: Appeal }): ReactNode {
  const sent = `You appealed on ${formatDate(appeal.created_at)}.`;
  if (appeal.status === 'open') {
    return (
      <p>
        {sent} We read every appeal and answer by {formatDateTime(appeal.due_at)}, here and in your notifications.
      </p>
    );
  }
  return (
    <>
      <p>
        {sent} {appeal.status === 'upheld' ? 'The decision stands:' : 'The decision was overturned:'}
      </p>
      <p className="dir-auto whitespace-pre-line text-ink [overflow-wrap:anywhere]">{appeal.decision_note}</p>
    </>
  );
}
