import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useRowSelection } from '@/components/data-table';
import { toast } from '@/components/ui/toast';
import { useRowFocus } from '@/components/use-row-focus';
import { formatCount } from '@/lib/format';
import { outcomeUnknownSentence } from '@/lib/send-once';
import { invalidateStaleQueries } from '@/lib/stale-queries';
import { decidedStatus, failureText, type Outcome, type PendingReview, type Verdict } from './decisions';
import { sendReview } from './mutations';
import { type ReviewedSubmission, type ReviewPages, submissionQueries } from './queries';
import type { RejectionReason } from './submission';

/** Optimistic row: as it will be once the queued decision has been sent. */
function withDecision(row: ReviewedSubmission, queue: readonly PendingReview[]): ReviewedSubmission {
  const queued = queue.findLast(({ ids }) => ids.includes(row.id));
  if (!queued) return row;
  const { decision, note, reason = null } = queued;
  return {
    ...row,
    status: decidedStatus[decision],
    reviewed_by: 'project',
    review_note: note,
    rejection_reason: reason,
  };
}

/**
 * State of a review: rows with the queued decisions, selection, current row, open dialogs, and the actions that buttons
 * and shortcuts share.
 */
export function useReview(submissions: readonly ReviewedSubmission[], isProofs: boolean) {
  const [openedId, setOpenedId] = useState<string | null>(null);
  const [rejecting, setRejecting] = useState<{ ids: readonly string[]; reason?: RejectionReason } | null>(null);
  const [currentId, setCurrentId] = useState<string | null>(null);

  const decisions = useDecisions((failed) => selecting.set(failed, true));
  const rows = useMemo(
    () => submissions.map((row) => withDecision(row, decisions.queue)),
    [submissions, decisions.queue],
  );
  // An unknown outcome is no longer reported once it is known. A refusal stays, because somebody else has decided.
  const isOpen = (id: string) => rows.find((row) => row.id === id)?.status === 'pending';
  const failures: ReadonlyMap<string, string> = new Map(
    [...decisions.failures].filter(([id, reason]) => reason !== outcomeUnknownSentence || isOpen(id)),
  );
  const selecting = useSelection(rows);
  const pendingIds = selecting.pending.map(({ id }) => id);
  const order = rows.map(({ id }) => id);
  const focus = useRowFocus(order, pendingIds);

  const shown = rows.find(({ id }) => id === currentId) ?? selecting.pending[0] ?? rows[0];
  const current = () => (isProofs ? shown : rows.find(({ id }) => id === focus.current()));
  const move = (step: 1 | -1) => {
    if (!isProofs) return focus.move(step);
    const next = shown && order[order.indexOf(shown.id) + step];
    if (next) setCurrentId(next);
  };

  const selectedIds = selecting.selected.map(({ id }) => id);
  const decide = (ids: readonly string[], verdict: Verdict) => {
    const waiting = pendingIds.filter((id) => !ids.includes(id));
    const place = shown ? order.indexOf(shown.id) : 0;
    if (shown && ids.includes(shown.id)) {
      setCurrentId(waiting.find((id) => order.indexOf(id) > place) ?? waiting.at(-1) ?? shown.id);
    }
    decisions.decide({ ids, ...verdict, isSelection: ids.some((id) => selectedIds.includes(id)) });
    selecting.set(ids, false);
    setRejecting(null);
    setOpenedId(null);
  };
  const undo = () => {
    const review = decisions.undo();
    if (review?.isSelection) selecting.set(review.ids, true);
    const [first] = review?.ids ?? [];
    if (!first) return;
    setCurrentId(first);
    // The pressed Undo unmounts, and the row that was focused before may not be one of these.
    focus.follow(first);
  };
  const askReason = (ids: readonly string[], reason?: RejectionReason) => {
    setOpenedId(null);
    setRejecting({ ids, reason });
  };

  return {
    rows,
    /** Ids of the rows, in order. */
    order,
    pendingIds,
    selectedIds,
    selecting,
    decisions: { ...decisions, failures },
    /** For the element that contains the rows. */
    list: focus.list,
    /** The submission shown beside the list. */
    shown,
    show: setCurrentId,
    /** The submission that a shortcut refers to. */
    current,
    move,
    decide,
    undo,
    /** Ids for which the rejection dialog is open, and the reason that it starts with. */
    rejecting,
    askReason,
    cancelRejection: () => setRejecting(null),
    /** The submission whose dialog is open. */
    opened: rows.find(({ id }) => id === openedId),
    open: setOpenedId,
  };
}

export type Review = ReturnType<typeof useReview>;

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

/**
 * All reviews go through here, from buttons, shortcuts, dialogs and selections. A decision is shown optimistically and
 * sent when its Undo window is over (docs/decisions/0008-undo-by-waiting.md): until then no points have moved and
 * nobody has been notified. Sending at once and reversing later would have to take points back from a member who may
 * have spent them.
 *
 * If the browser crashes before sending, the submission is still pending.
 */
function useDecisions(onFailed: (ids: string[]) => void) {
  const queryClient = useQueryClient();
  /** Decisions that the list already shows: the one that can be undone and those in flight. */
  const [queue, setQueue] = useState<readonly PendingReview[]>([]);
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map());
  const underWay = useRef(0);

  const forget = (review: PendingReview) => setQueue((list) => list.filter((other) => other !== review));

  const finish = (review: PendingReview, outcome: Outcome) => {
    const now = new Map(outcome.reviewed.map((row) => [row.id, row]));
    // Before the refetch, so that rows do not flip back to pending.
    queryClient.setQueriesData<ReviewPages>(
      { queryKey: submissionQueries.keys.reviews },
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => page.map((row) => (now.has(row.id) ? { ...row, ...now.get(row.id) } : row))),
        },
    );
    forget(review);
    // Not awaited, so that a reviewer who continues does not wait for the refetch.
    const isBusy = undo.isHolding() || underWay.current > 0;
    void invalidateStaleQueries(queryClient, ['review_submissions'], isBusy ? 'none' : 'active');
    if (isBusy) void queryClient.refetchQueries({ queryKey: submissionQueries.keys.counts });
    if (outcome.failures.size === 0) return;
    setFailures((old) => new Map([...old, ...outcome.failures]));
    onFailed([...outcome.failures.keys()]);
    toast.error(failureText(review, outcome));
  };

  const undo = useUndoWindow(async (review) => {
    underWay.current += 1;
    const outcome = await sendReview(review);
    underWay.current -= 1;
    finish(review, outcome);
  });

  return {
    queue,
    failures,
    undoable: undo.undoable,
    decide: (review: PendingReview) => {
      setFailures((old) => new Map([...old].filter(([id]) => !review.ids.includes(id))));
      setQueue((list) => [...list, review]);
      undo.hold(review);
    },
    /** Undoes the last decision and returns it; null when it has been sent. */
    undo: () => {
      const review = undo.undo();
      if (review) forget(review);
      return review;
    },
    pauseTimer: undo.pauseTimer,
    startTimer: undo.startTimer,
  };
}

/** Length of the Undo window in milliseconds. */
const undoTime = 6000;

/**
 * Holds one review until its Undo window is over, the next one arrives, or the page is hidden or left, and then passes
 * it to `send`. Undo therefore only discards what has not been sent.
 */
function useUndoWindow(send: (review: PendingReview) => Promise<void>) {
  const [undoable, setUndoable] = useState<PendingReview | null>(null);
  const held = useRef<{ review: PendingReview; timer?: ReturnType<typeof setTimeout> } | null>(null);

  const take = (): PendingReview | null => {
    clearTimeout(held.current?.timer);
    const review = held.current?.review ?? null;
    held.current = null;
    setUndoable(null);
    return review;
  };
  const commit = async () => {
    const review = take();
    if (review === null) return;
    // One listener per review: when one has been answered, the browser must still ask about another that is in flight.
    const keep = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', keep);
    await send(review);
    window.removeEventListener('beforeunload', keep);
  };
  const latestCommit = useRef(commit);
  useEffect(() => {
    latestCommit.current = commit;
  });

  const startTimer = () => {
    if (!held.current) return;
    clearTimeout(held.current.timer);
    held.current.timer = setTimeout(() => void latestCommit.current(), undoTime);
  };

  useEffect(() => {
    const leave = () => void latestCommit.current();
    const handleHidden = () => document.visibilityState === 'hidden' && leave();
    // Sends the held review; the browser's confirmation gives the request time to complete if the person stays.
    const handleBeforeUnload = (event: BeforeUnloadEvent) => {
      if (!held.current) return;
      event.preventDefault();
      leave();
    };
    window.addEventListener('pagehide', leave);
    window.addEventListener('beforeunload', handleBeforeUnload);
    document.addEventListener('visibilitychange', handleHidden);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('beforeunload', handleBeforeUnload);
      document.removeEventListener('visibilitychange', handleHidden);
      leave();
    };
  }, []);

  return {
    undoable,
    hold: (review: PendingReview) => {
      void commit();
      held.current = { review };
      setUndoable(review);
      startTimer();
    },
    /** The held review, null when it has been sent. */
    undo: take,
    isHolding: () => held.current !== null,
    /** The timer is paused while Undo has hover or focus. */
    pauseTimer: () => clearTimeout(held.current?.timer),
    startTimer,
  };
}
