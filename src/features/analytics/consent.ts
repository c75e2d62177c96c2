import { useSyncExternalStore } from 'react';
import { readStorage, storageKey, writeStorage } from '@/lib/storage';

/** What this person said to statistics; null: nothing yet. */
export type Consent = 'granted' | 'denied' | null;

const changed = 'analytics-consent-changed';

/** The answer kept on this browser. A browser that asks not to be tracked (Global Privacy Control) has answered no. */
export function readConsent(): Consent {
  const stored = readStorage('analyticsConsent');
  if (stored === 'granted' || stored === 'denied') return stored;
  return 'globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true ? 'denied' : null;
}

/** Keeps an answer; null asks again. */
export function setConsent(consent: Consent): void {
  writeStorage('analyticsConsent', consent);
  window.dispatchEvent(new Event(changed));
}

function subscribe(onChange: () => void): () => void {
  const handleStorage = (event: StorageEvent) => {
    if (event.key === null || event.key === storageKey('analyticsConsent')) onChange();
  };
  window.addEventListener(changed, onChange);
  window.addEventListener('storage', handleStorage);
  return () => {
    window.removeEventListener(changed, onChange);
    window.removeEventListener('storage', handleStorage);
  };
}

/** The answer, kept in step across tabs. */
export function useConsent(): Consent {
  return useSyncExternalStore(subscribe, readConsent);
}
