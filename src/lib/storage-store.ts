import { type StorageKey, storageKey } from './storage';

/**
 * Tells components of a change to something in local storage: those of this tab by an event of that name on the window, other
 * tabs by the browser's storage event. Use it with useSyncExternalStore. `onOtherTab` runs first when another tab has
 * changed it.
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
