import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '@/components/ui/toast';
import { invalidateStaleQueries } from '@/lib/stale-queries';
import { failureText, type Outcome, type PendingReview } from './decisions';
import { sendReview } from './mutations';
import { type Submission, submissionQueries } from './queries';

/** How long a decision can be taken back, in milliseconds. */
const undoTime = 6000;

/**
 * Decisions about several submissions, with Undo. A decision is shown at once and sent when its time is over, when the next
 * one is made, or when the page is hidden or left. Undo therefore only forgets what nobody has heard of yet: no
 * point has moved, no message has gone out. The other way, to send at once and take back later, would need points back from
 * a member who may have spent them.
 *
 * Should a browser die before it has sent something, the submission is simply still pending.
 */
export function useDecisions(onFailed: (ids: string[]) => void) {
  const queryClient = useQueryClient();
  /** Decisions that the list shows already: the one that can be undone and those on their way. */
  const [queue, setQueue] = useState<readonly PendingReview[]>([]);
  const [undoable, setUndoable] = useState<PendingReview | null>(null);
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map());
  const pending = useRef<{ review: PendingReview; timer?: ReturnType<typeof setTimeout> } | null>(null);

  const forget = (review: PendingReview) => setQueue((list) => list.filter((other) => other !== review));

  const finish = (review: PendingReview, outcome: Outcome) => {
    const now = new Map(outcome.reviewed.map((row) => [row.id, row]));
    // Before the list is read again: rows must not jump back to pending in between.
    queryClient.setQueriesData<InfiniteData<Submission[]>>(
      { queryKey: submissionQueries.keys.lists },
      (data) =>
        data && { ...data, pages: data.pages.map((page) => page.map((row) => ({ ...row, ...now.get(row.id) }))) },
    );
    forget(review);
    void invalidateStaleQueries(queryClient, ['review_submission']);
    if (outcome.failures.size === 0) return;
    setFailures((old) => new Map([...old, ...outcome.failures]));
    onFailed([...outcome.failures.keys()]);
    toast.error(failureText(review, outcome));
  };

  const commit = async (isLeaving = false) => {
    const review = dequeue();
    if (!review) return;
    setUndoable(null);
    window.addEventListener('beforeunload', askToStay);
    const outcome = await sendReview(review, isLeaving);
    window.removeEventListener('beforeunload', askToStay);
    finish(review, outcome);
  };

  const dequeue = (): PendingReview | null => {
    clearTimeout(pending.current?.timer);
    const review = pending.current?.review ?? null;
    pending.current = null;
    return review;
  };

  const startTimer = () => {
    if (!pending.current) return;
    clearTimeout(pending.current.timer);
    pending.current.timer = setTimeout(() => void latestCommit.current(), undoTime);
  };

  const latestCommit = useRef(commit);
  latestCommit.current = commit;
  useEffect(() => {
    const leave = () => void latestCommit.current(true);
    const handleHidden = () => document.visibilityState === 'hidden' && leave();
    // Sends what is pending; the browser's question gives the request time to arrive if the owner stays.
    const handleBeforeUnload = (event: BeforeUnloadEvent) => {
      if (!pending.current) return;
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
      void latestCommit.current();
    };
  }, []);

  return {
    queue,
    undoable,
    failures,
    enqueue: (review: PendingReview) => {
      void commit();
      setFailures((old) => new Map([...old].filter(([id]) => !review.ids.includes(id))));
      setQueue((list) => [...list, review]);
      setUndoable(review);
      pending.current = { review };
      startTimer();
    },
    undo: () => {
      const review = dequeue();
      if (review) forget(review);
      setUndoable(null);
      return review;
    },
    /** The timer is paused while Undo has hover or focus. */
    pauseTimer: useCallback(() => clearTimeout(pending.current?.timer), []),
    startTimer,
  };
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
