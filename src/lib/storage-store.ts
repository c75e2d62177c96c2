import { type StorageKey, storageKey } from './storage';

/**
 * Subscribes to changes of a local storage key: in this tab by an event of that name on the window, in other tabs by
 * the storage event. For useSyncExternalStore. `onOtherTab` runs first when another tab has changed it.
 */
export function createStorageStore(key: StorageKey, event: string, onOtherTab: () => void = () => undefined) {
  return {
    subscribe: (onChange: () => void): (() => void) => {
      const handleStorage = (change: StorageEvent) => {
        // A null key: the whole storage was cleared.
        if (change.key !== null && change.key !== storageKey(key)) return;
        onOtherTab();
        onChange();
      };
      window.addEventListener(event, onChange);
      window.addEventListener('storage', handleStorage);
      return () => {
        window.removeEventListener(event, onChange);
        window.removeEventListener('storage', handleStorage);
      };
    },
    notify: (detail?: unknown): void => {
      window.dispatchEvent(new CustomEvent(event, { detail }));
    },
  };
}
