import { useCallback, useEffect, useRef, useState } from 'react';

/** How long something can be taken back, in milliseconds. */
const undoTime = 6000;

/**
 * Holds back one thing at a time until its time for Undo is over, the next one comes, or the page is hidden or left; then `send` gets
 * it. Undo therefore only forgets what nobody has heard of yet.
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
    // Sends what is held; the browser's question gives the request time to arrive if the person stays.
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
    /** What was held, null when it is too late. */
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
