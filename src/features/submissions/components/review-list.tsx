import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import type { Task } from '@/features/campaigns';
import { cn } from '@/lib/cn';
import { type Decision, defaultNotes } from '../decisions';
import { useReviewSubmission } from '../mutations';
import type { Submission } from '../queries';
import { useRowFocus } from '../row-focus';
import { useShortcutSwitch, useShortcuts } from '../shortcuts';
import type { SubmissionSort } from '../submission-order';
import { useDecisions } from '../use-decisions';
import { useSelection } from '../use-selection';
import { BulkRejectDialog } from './bulk-reject-dialog';
import { ReviewBar } from './review-bar';
import { ShortcutHelp } from './shortcut-help';
import { SortChoice } from './sort-choice';
import { SubmissionDialog } from './submission-dialog';
import { SubmissionTable } from './submission-table';

const doneMessages = { approve: 'Submission approved', reject: 'Submission rejected' } as const;
const decided = { approve: 'approved', reject: 'rejected' } as const;

type ReviewListProps = {
  submissions: Submission[];
  tasks: Task[];
  sort: SubmissionSort;
  onSort: (sort: SubmissionSort) => void;
  /** The rows are of the former filter or order, until the new ones come. */
  isStale: boolean;
  onMore: (() => void) | undefined;
  isLoadingMore: boolean;
};

/**
 * Reviewing: one by one from its row or its details, sent at once (SUBM-09); several, or by a single key, with Undo. Keys
 * and mass decisions are what goes wrong by accident.
 */
export function ReviewList({ submissions, tasks, sort, onSort, ...page }: ReviewListProps) {
  const review = useReviewSubmission();
  const [opened, setOpened] = useState<{ id: string; isRejecting: boolean } | null>(null);
  /** Submissions whose common reason is asked for. */
  const [rejecting, setRejecting] = useState<readonly string[] | null>(null);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [areShortcutsOn, setAreShortcutsOn] = useShortcutSwitch();

  const decisions = useDecisions((failed) => selecting.set(failed, true));
  const takenOf = (id: string) => decisions.taken.findLast(({ ids }) => ids.includes(id));
  const rows = submissions.map((row) => {
    const taken = takenOf(row.id);
    return taken ? { ...row, status: decided[taken.decision], review_note: taken.note } : row;
  });
  const selecting = useSelection(rows, (row) => tasks.find(({ id }) => id === row.task_id)?.title ?? 'Unknown Task');
  const pendingIds = selecting.pending.map(({ id }) => id);
  const focus = useRowFocus(
    rows.map(({ id }) => id),
    pendingIds,
  );

  const open = (isRejecting: boolean) => (submission: Submission) => {
    review.reset();
    setOpened({ id: submission.id, isRejecting });
  };
  const decideNow = (submission: Submission, decision: Decision, note = '') => {
    review.mutate(
      { submissionId: submission.id, decision, note: note || defaultNotes[decision] },
      {
        onSuccess: () => {
          toast.success(doneMessages[decision]);
          setOpened(null);
        },
        // The dialog has room for the reason: the project may be short of points.
        onError: () => setOpened({ id: submission.id, isRejecting: decision === 'reject' }),
      },
    );
  };
  const reviewingId = review.isPending ? review.variables.submissionId : null;
  const decideLater = (ids: readonly string[], decision: Decision, note = '') => {
    decisions.take({ ids, decision, note: note || defaultNotes[decision] });
    selecting.set(ids, false);
    setRejecting(null);
  };

  const selectedIds = selecting.selected.map(({ id }) => id);
  /** What a key acts on: the selection, else the submission that has the focus, if it waits for a decision. */
  const targets = () =>
    (selectedIds.length > 0 ? selectedIds : pendingIds.filter((id) => id === focus.current())).filter(
      (id) => id !== reviewingId,
    );
  const current = () => rows.find(({ id }) => id === focus.current());
  useShortcuts(areShortcutsOn, {
    next: () => focus.move(1),
    previous: () => focus.move(-1),
    select: () => {
      const row = current();
      if (row?.status === 'pending') selecting.set([row.id], !selectedIds.includes(row.id));
    },
    open: () => {
      const row = current();
      if (row) open(false)(row);
    },
    approve: () => {
      if (targets().length > 0) decideLater(targets(), 'approve');
    },
    reject: () => {
      if (targets().length > 0) setRejecting(targets());
    },
    undo: () => void decisions.undo(),
    help: () => setIsHelpOpen(true),
  });

  const shown = rows.find(({ id }) => id === opened?.id);
  return (
    <div ref={focus.list} tabIndex={-1} className="grid gap-4 outline-none">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <SortChoice sort={sort} onSort={onSort} />
        <ShortcutHelp
          isOpen={isHelpOpen}
          onOpenChange={setIsHelpOpen}
          isOn={areShortcutsOn}
          onSwitch={setAreShortcutsOn}
        />
      </div>
      <div className={cn(page.isStale && 'opacity-60')} aria-busy={page.isStale}>
        <SubmissionTable
          submissions={rows}
          tasks={tasks}
          reviewingId={reviewingId}
          failures={decisions.failures}
          sort={sort}
          onSort={onSort}
          selection={selecting.selection}
          onView={open(false)}
          onReject={open(true)}
          onApprove={(submission) => decideNow(submission, 'approve')}
        />
      </div>
      {page.onMore && (
        <Button
          variant="secondary"
          className="justify-self-center"
          isLoading={page.isLoadingMore}
          onClick={page.onMore}
        >
          Show more submissions
        </Button>
      )}
      <ReviewBar
        selectedCount={selectedIds.length}
        undoable={decisions.undoable}
        onApprove={() => decideLater(selectedIds, 'approve')}
        onReject={() => setRejecting(selectedIds)}
        onClear={selecting.clear}
        onUndo={decisions.undo}
        onHold={decisions.holdClock}
        onRelease={decisions.startClock}
      />
      {rejecting && (
        <BulkRejectDialog
          count={rejecting.length}
          onReject={(reason) => decideLater(rejecting, 'reject', reason)}
          onClose={() => setRejecting(null)}
        />
      )}
      {shown && (
        <SubmissionDialog
          key={`${shown.id}${opened?.isRejecting}`}
          submission={shown}
          task={tasks.find(({ id }) => id === shown.task_id)}
          startsRejecting={opened?.isRejecting ?? false}
          isReviewing={reviewingId === shown.id}
          error={review.variables?.submissionId === shown.id ? review.error : null}
          onApprove={() => decideNow(shown, 'approve')}
          onReject={(reason) => decideNow(shown, 'reject', reason)}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}
