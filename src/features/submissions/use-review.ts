import { useMemo, useState } from 'react';
import type { PendingReview, Verdict } from './decisions';
import type { ReviewedSubmission } from './queries';
import { useSelection } from './row-selection';
import { useDecisions } from './use-decisions';
import { useRowFocus } from './use-row-focus';

const decided = { approve: 'approved', reject: 'rejected' } as const;

/** Optimistic row: as it will be once the queued decision has been sent. */
function withDecision(row: ReviewedSubmission, queue: readonly PendingReview[]): ReviewedSubmission {
  const queued = queue.findLast(({ ids }) => ids.includes(row.id));
  if (!queued) return row;
  const { decision, note, reason = null } = queued;
  return { ...row, status: decided[decision], reviewed_by: 'project', review_note: note, rejection_reason: reason };
}

/**
 * State of a review: rows with the queued decisions, selection, current row, open dialogs, and the actions that buttons
 * and shortcuts share.
 */
export function useReview(submissions: readonly ReviewedSubmission[], isProofs: boolean) {
  const [openedId, setOpenedId] = useState<string | null>(null);
  const [rejecting, setRejecting] = useState<readonly string[] | null>(null);
  const [currentId, setCurrentId] = useState<string | null>(null);

  const decisions = useDecisions((failed) => selecting.set(failed, true));
  const rows = useMemo(
    () => submissions.map((row) => withDecision(row, decisions.queue)),
    [submissions, decisions.queue],
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
    if (review) setCurrentId(review.ids[0] ?? null);
  };
  const askReason = (ids: readonly string[]) => {
    setOpenedId(null);
    setRejecting(ids);
  };

  return {
    rows,
    /** Ids of the rows, in order. */
    order,
    pendingIds,
    selectedIds,
    selecting,
    decisions,
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
    /** Ids for which the rejection dialog is open. */
    rejecting,
    askReason,
    cancelRejection: () => setRejecting(null),
    /** The submission whose dialog is open. */
    opened: rows.find(({ id }) => id === openedId),
    open: setOpenedId,
  };
}

export type Review = ReturnType<typeof useReview>;
