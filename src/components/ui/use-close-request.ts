import { useEffect, useEffectEvent } from 'react';

declare global {
  interface Window {
    /** Missing in TypeScript's library, and in Safari. */
    CloseWatcher?: new () => { onclose: (() => void) | null; destroy: () => void };
  }
}

/**
 * Calls `onClose` on the platform's close request, the Back key or gesture of a phone, which would leave the page otherwise. Leaves the
 * history alone. Escape never gets here, because Radix handles it first.
 */
export function useCloseRequest(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const { CloseWatcher } = window;
    if (!isOpen || !CloseWatcher) return;
    let watcher: InstanceType<typeof CloseWatcher>;
    const watch = () => {
      watcher = new CloseWatcher();
      watcher.onclose = () => {
        close();
        // A watcher fires once, and the overlay may have stayed open.
        watch();
      };
    };
    watch();
    return () => watcher.destroy();
  }, [isOpen]);
}
