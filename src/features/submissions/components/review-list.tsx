import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { toast } from '@/components/ui/toast';
import type { Task } from '@/features/quests';
import { cn } from '@/lib/cn';
import { formatCount, formatNumber } from '@/lib/format';
import { approval, formatDecision, type PendingReview, rejection, type Verdict } from '../decisions';
import { useReviewSubmission } from '../mutations';
import type { ReviewedSubmission } from '../queries';
import type { Rejection } from '../rejection';
import { useRowFocus, useSelection } from '../row-selection';
import { type SubmissionSort, submissionSorts } from '../submission-order';
import { useDecisions } from '../use-decisions';
import { ShortcutHelp, useShortcutSwitch, useShortcuts } from './shortcut-help';
import { RejectForm, SubmissionDialog } from './submission-dialog';
import { SubmissionTable } from './submission-table';

const doneMessages = { approve: 'Submission approved', reject: 'Submission rejected' } as const;
const decided = { approve: 'approved', reject: 'rejected' } as const;

type ReviewListProps = {
  submissions: ReviewedSubmission[];
  tasks: Task[];
  sort: SubmissionSort;
  onSort: (sort: SubmissionSort) => void;
  /** The rows are of the former filter or order, until the new ones come. */
  isStale: boolean;
  onMore: (() => void) | undefined;
  isLoadingMore: boolean;
};

/**
 * One review, from a row or its details, is sent at once (SUBM-09). Shortcuts and bulk actions are error-prone, so they can
 * be undone.
 */
export function ReviewList({ submissions, tasks, sort, onSort, ...page }: ReviewListProps) {
  const review = useReviewSubmission();
  const [opened, setOpened] = useState<{ id: string; isRejecting: boolean } | null>(null);
  /** Submissions whose common reason is asked for. */
  const [rejecting, setRejecting] = useState<readonly string[] | null>(null);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [areShortcutsOn, setAreShortcutsOn] = useShortcutSwitch();

  const decisions = useDecisions((failed) => selecting.set(failed, true));
  const queuedFor = (id: string) => decisions.queue.findLast(({ ids }) => ids.includes(id));
  const rows = submissions.map((row) => {
    const queued = queuedFor(row.id);
    return queued
      ? { ...row, status: decided[queued.decision], review_note: queued.note, rejection_reason: queued.reason ?? null }
      : row;
  });
  const selecting = useSelection(rows, (row) => tasks.find(({ id }) => id === row.task_id)?.title ?? 'Unknown Task');
  const pendingIds = selecting.pending.map(({ id }) => id);
  const focus = useRowFocus(
    rows.map(({ id }) => id),
    pendingIds,
  );

  const open = (isRejecting: boolean) => (submission: ReviewedSubmission) => {
    review.reset();
    setOpened({ id: submission.id, isRejecting });
  };
  const decideNow = (submission: ReviewedSubmission, verdict: Verdict) => {
    review.mutate(
      { submissionId: submission.id, ...verdict },
      {
        onSuccess: () => {
          toast.success(doneMessages[verdict.decision]);
          setOpened(null);
        },
        // The dialog has room for the reason: the project may be short of points.
        onError: () => setOpened({ id: submission.id, isRejecting: verdict.decision === 'reject' }),
      },
    );
  };
  const reviewingId = review.isPending ? review.variables.submissionId : null;
  const decideLater = (ids: readonly string[], verdict: Verdict) => {
    decisions.enqueue({ ids, ...verdict });
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
      if (targets().length > 0) decideLater(targets(), approval);
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
          onApprove={(submission) => decideNow(submission, approval)}
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
        onApprove={() => decideLater(selectedIds, approval)}
        onReject={() => setRejecting(selectedIds)}
        onClear={selecting.clear}
        onUndo={decisions.undo}
        onHold={decisions.pauseTimer}
        onRelease={decisions.startTimer}
      />
      {rejecting && (
        <BulkRejectDialog
          count={rejecting.length}
          onReject={(because) => decideLater(rejecting, rejection(because))}
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
          onApprove={() => decideNow(shown, approval)}
          onReject={(because) => decideNow(shown, rejection(because))}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

const sortLabels: Record<SubmissionSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  task: 'Task, first to last',
  '-task': 'Task, last to first',
  member: 'User ID, A to Z',
  '-member': 'User ID, Z to A',
  status: 'Status, pending first',
  '-status': 'Status, rejected first',
};

type SortChoiceProps = { sort: SubmissionSort; onSort: (sort: SubmissionSort) => void };

/** The same orders as the table's headings, for phones, where the rows are cards. */
function SortChoice({ sort, onSort }: SortChoiceProps) {
  return (
    <Field label="Sort by" className="md:hidden">
      <Select
        value={sort}
        onChange={({ target }) => onSort(submissionSorts.find((known) => known === target.value) ?? sort)}
      >
        {submissionSorts.map((value) => (
          <option key={value} value={value}>
            {sortLabels[value]}
          </option>
        ))}
      </Select>
    </Field>
  );
}

type BulkRejectDialogProps = { count: number; onReject: (rejection: Rejection) => void; onClose: () => void };

/** One reason for all of them. */
function BulkRejectDialog({ count, onReject, onClose }: BulkRejectDialogProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Reject ${formatCount(count, 'submission')}`}
      description={count > 1 ? 'Every one of these members gets the same reason.' : undefined}
    >
      <RejectForm isReviewing={false} onReject={onReject} onCancel={onClose} />
    </Dialog>
  );
}

type ReviewBarProps = {
  selectedCount: number;
  /** The decision that can still be taken back. */
  undoable: PendingReview | null;
  onApprove: () => void;
  onReject: () => void;
  onClear: () => void;
  onUndo: () => void;
  /** The pointer or the focus has come to Undo, or has left it. */
  onHold: () => void;
  onRelease: () => void;
};

/** Stays at the bottom while submissions are selected or a decision can be undone. */
function ReviewBar({ selectedCount, undoable, ...on }: ReviewBarProps) {
  const isShown = selectedCount > 0 || undoable;
  return (
    <div
      {...(isShown && { 'data-sticky-action': true })}
      className="pointer-events-none sticky bottom-3 z-20 grid gap-2 sm:mr-40 sm:justify-items-start"
    >
      <div role="status" className="contents">
        {undoable && (
          <div className="pointer-events-auto flex items-center gap-3 rounded-card border border-l-4 border-l-action bg-card py-1 pr-1 pl-4 shadow-card">
            <p className="grow font-medium">{formatDecision(undoable)}</p>
            <Button
              variant="ghost"
              onClick={on.onUndo}
              onMouseEnter={on.onHold}
              onMouseLeave={on.onRelease}
              onFocus={on.onHold}
              onBlur={on.onRelease}
            >
              <Undo2 aria-hidden="true" />
              Undo
            </Button>
          </div>
        )}
      </div>
      {selectedCount > 0 && (
        <section
          aria-label="Selected submissions"
          className="pointer-events-auto flex flex-wrap items-center gap-2 rounded-card border bg-card p-2 pl-4 shadow-card"
        >
          <p className="grow font-semibold tabular-nums">{formatNumber(selectedCount)} selected</p>
          <Button variant="ghost" onClick={on.onClear}>
            Clear
          </Button>
          <Button variant="secondary" onClick={on.onReject}>
            Reject selected
          </Button>
          <Button onClick={on.onApprove}>Approve selected</Button>
        </section>
      )}
    </div>
  );
}
