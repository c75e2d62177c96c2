import { type SyntheticEvent, useRef } from 'react';

/**
 * An event handler that ignores events, and keeps the browser from acting on them, until the promise that it returned last has settled. A
 * second press can come before the first has been rendered, so that a disabled or loading button alone would let it through.
 */
export function useOneAtATime<Event extends SyntheticEvent>(handler: ((event: Event) => unknown) | undefined) {
  const isBusy = useRef(false);
  return (event: Event): void => {
    if (isBusy.current) {
      event.preventDefault();
      return;
    }
    const work = handler?.(event);
    if (!(work instanceof Promise)) return;
    isBusy.current = true;
    void work.finally(() => {
      isBusy.current = false;
    });
  };
}
