import { useSyncExternalStore } from 'react';
import { readStorage, storageKey, writeStorage } from '@/lib/storage';

const changed = 'pending-referral-changed';

/** The code that waits for a sign-up on this browser. */
export function readPendingReferral(): string | null {
  return readStorage('pendingReferral');
}

/** Keeps a code until a sign-up, or forgets it; other tabs hear of it through the storage event (C-66). */
export function keepPendingReferral(code: string | null): void {
  writeStorage('pendingReferral', code);
  window.dispatchEvent(new Event(changed));
}

function subscribe(onChange: () => void): () => void {
  const handleStorage = (event: StorageEvent) => {
    if (event.key === null || event.key === storageKey('pendingReferral')) onChange();
  };
  window.addEventListener(changed, onChange);
  window.addEventListener('storage', handleStorage);
  return () => {
    window.removeEventListener(changed, onChange);
    window.removeEventListener('storage', handleStorage);
  };
}

/** The pending code, kept in step across tabs. */
export function usePendingReferral(): string | null {
  return useSyncExternalStore(subscribe, readPendingReferral);
}
