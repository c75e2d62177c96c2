import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '@/components/ui/toast';
import { invalidateStaleQueries } from '@/lib/stale-queries';
import { failureText, type Outcome, type PendingReview } from './decisions';
import { sendReview } from './mutations';
import { type ReviewPages, submissionQueries } from './queries';

/**
 * All reviews go through here, from buttons, shortcuts, dialogs and selections. A decision is shown optimistically and
 * sent when its Undo window is over (docs/decisions/0008-undo-by-waiting.md): until then no points have moved and
 * nobody has been notified. Sending at once and reversing later would have to take points back from a member who may
 * have spent them.
 *
 * If the browser crashes before sending, the submission is still pending.
 */
export function useDecisions(onFailed: (ids: string[]) => void) {
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

  const undo = useUndoTime<PendingReview>(async (review) => {
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

/** How long something can be undone, in milliseconds. */
const undoTime = 6000;

/**
 * Holds one item until its Undo window is over, the next one arrives, or the page is hidden or left, and then passes it
 * to `send`. Undo therefore only discards what has not been sent.
 */
function useUndoTime<Item>(send: (item: Item) => Promise<void>) {
  const [undoable, setUndoable] = useState<Item | null>(null);
  const held = useRef<{ item: Item; timer?: ReturnType<typeof setTimeout> } | null>(null);

  const take = (): Item | null => {
    clearTimeout(held.current?.timer);
    const item = held.current?.item ?? null;
    held.current = null;
    setUndoable(null);
    return item;
  };
  const commit = async () => {
    const item = take();
    if (item === null) return;
    window.addEventListener('beforeunload', askToStay);
    await send(item);
    window.removeEventListener('beforeunload', askToStay);
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
    // Sends the held item; the browser's confirmation gives the request time to complete if the person stays.
    const handleBeforeUnload = (event: BeforeUnloadEvent) => {
      if (!held.current) return;
      askToStay(event);
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
    hold: (item: Item) => {
      void commit();
      held.current = { item };
      setUndoable(item);
      startTimer();
    },
    /** The held item, null when it has been sent. */
    undo: take,
    isHolding: () => held.current !== null,
    /** The timer is paused while Undo has hover or focus. */
    pauseTimer: useCallback(() => clearTimeout(held.current?.timer), []),
    startTimer,
  };
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
