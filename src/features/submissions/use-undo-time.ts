import { useCallback, useEffect, useRef, useState } from 'react';

/** How long something can be undone, in milliseconds. */
const undoTime = 6000;

/**
 * Holds one item until its Undo window is over, the next one arrives, or the page is hidden or left, and then passes it
 * to `send`. Undo therefore only discards what has not been sent.
 */
export function useUndoTime<Item>(send: (item: Item) => Promise<void>) {
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
  latestCommit.current = commit;

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
