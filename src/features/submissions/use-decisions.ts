import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '@/components/ui/toast';
import { type Batch, failureText, type Outcome } from './decisions';
import { sendBatch, useReload } from './mutations';
import { type Submission, submissionQueries } from './queries';

/** How long a decision can be taken back, in milliseconds. */
const undoTime = 6000;

/**
 * Decisions about several submissions, with Undo. A decision is shown as taken at once and sent when its time is over, when
 * the next one is taken, or when the page is hidden or left. Undo therefore only forgets what nobody has heard of yet: no
 * point has moved, no message has gone out. The other way, to send at once and take back later, would need points back from
 * a member who may have spent them.
 *
 * Should a browser die before it has sent something, the submission is simply still pending.
 */
export function useDecisions(onFailed: (ids: string[]) => void) {
  const queryClient = useQueryClient();
  const reload = useReload();
  /** Decisions that the list shows as taken: the one that can be undone and those on their way. */
  const [taken, setTaken] = useState<readonly Batch[]>([]);
  const [undoable, setUndoable] = useState<Batch | null>(null);
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map());
  const waiting = useRef<{ batch: Batch; timer?: ReturnType<typeof setTimeout> } | null>(null);

  const forget = (batch: Batch) => setTaken((list) => list.filter((other) => other !== batch));

  const finish = (batch: Batch, outcome: Outcome) => {
    const now = new Map(outcome.reviewed.map((row) => [row.id, row]));
    // At once, and not with the reload: rows must not jump back to pending in between.
    queryClient.setQueriesData<InfiniteData<Submission[]>>(
      { queryKey: submissionQueries.keys.lists },
      (data) =>
        data && { ...data, pages: data.pages.map((page) => page.map((row) => ({ ...row, ...now.get(row.id) }))) },
    );
    forget(batch);
    void reload();
    if (outcome.failures.size === 0) return;
    setFailures((old) => new Map([...old, ...outcome.failures]));
    onFailed([...outcome.failures.keys()]);
    toast.error(failureText(batch, outcome));
  };

  const flush = async (isLeaving = false) => {
    const batch = takeWaiting();
    if (!batch) return;
    setUndoable(null);
    window.addEventListener('beforeunload', askToStay);
    const outcome = await sendBatch(batch, isLeaving);
    window.removeEventListener('beforeunload', askToStay);
    finish(batch, outcome);
  };

  const takeWaiting = (): Batch | null => {
    clearTimeout(waiting.current?.timer);
    const batch = waiting.current?.batch ?? null;
    waiting.current = null;
    return batch;
  };

  const startClock = () => {
    if (!waiting.current) return;
    clearTimeout(waiting.current.timer);
    waiting.current.timer = setTimeout(() => void latestFlush.current(), undoTime);
  };

  const latestFlush = useRef(flush);
  latestFlush.current = flush;
  useEffect(() => {
    const leave = () => void latestFlush.current(true);
    const handleHidden = () => document.visibilityState === 'hidden' && leave();
    // Sends what waits; whoever stays to answer the browser's question gives it time to arrive.
    const handleBeforeUnload = (event: BeforeUnloadEvent) => {
      if (!waiting.current) return;
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
      void latestFlush.current();
    };
  }, []);

  return {
    taken,
    undoable,
    failures,
    take: (batch: Batch) => {
      void flush();
      setFailures((old) => new Map([...old].filter(([id]) => !batch.ids.includes(id))));
      setTaken((list) => [...list, batch]);
      setUndoable(batch);
      waiting.current = { batch };
      startClock();
    },
    undo: () => {
      const batch = takeWaiting();
      if (batch) forget(batch);
      setUndoable(null);
      return batch;
    },
    /** While the pointer or the focus is on Undo, time stands still. */
    holdClock: useCallback(() => clearTimeout(waiting.current?.timer), []),
    startClock,
  };
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
