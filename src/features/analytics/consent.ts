import { useSyncExternalStore } from 'react';
import { readStorage, writeStorage } from '@/lib/storage';
import { createStorageStore } from '@/lib/storage-store';

/** What this person said to statistics; null: nothing yet. */
export type Consent = 'granted' | 'denied' | null;

const store = createStorageStore('analyticsConsent', 'analytics-consent-changed');

/** The answer kept on this browser. A browser that asks not to be tracked (Global Privacy Control) has answered no. */
export function readConsent(): Consent {
  const stored = readStorage('analyticsConsent');
  if (stored === 'granted' || stored === 'denied') return stored;
  return 'globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true ? 'denied' : null;
}

/** Keeps an answer; null asks again. */
export function setConsent(consent: Consent): void {
  writeStorage('analyticsConsent', consent);
  store.notify();
}

/** The answer, kept in step across tabs. */
export function useConsent(): Consent {
  return useSyncExternalStore(store.subscribe, readConsent, () => null);
}
