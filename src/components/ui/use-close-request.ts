import { useEffect, useEffectEvent } from 'react';

declare global {
  interface Window {
    /** Missing in TypeScript's library, and in Safari. */
    CloseWatcher?: new () => { onclose: (() => void) | null; destroy: () => void };
  }
}

/**
 * Calls `onClose` when the platform asks what is open to close: with the Back key or gesture of a phone, which would leave the page
 * otherwise. The history is not touched. Escape never comes here, because Radix handles it first.
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
        // A watcher serves once, and what is open may have refused.
        watch();
      };
    };
    watch();
    return () => watcher.destroy();
  }, [isOpen]);
}
