import { useSyncExternalStore } from 'react';
import { createStorageStore, readStorage, writeStorage } from '@/lib/storage';

/** The person's answer on analytics; null: none yet. */
export type Consent = 'granted' | 'denied' | null;

const store = createStorageStore('analyticsConsent', 'analytics-consent-changed');

/** The answer stored in this browser. Global Privacy Control counts as no. */
export function readConsent(): Consent {
  const stored = readStorage('analyticsConsent');
  if (stored === 'granted' || stored === 'denied') return stored;
  return 'globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true ? 'denied' : null;
}

/** Stores an answer; null asks again. */
export function setConsent(consent: Consent): void {
  writeStorage('analyticsConsent', consent);
  store.notify();
}

/** The answer, synchronised across tabs. */
export function useConsent(): Consent {
  return useSyncExternalStore(store.subscribe, readConsent, () => null);
}

function turnOn() {
  setConsent(null);
  // Still 'denied' means that the browser sends Global Privacy Control; pressing the button overrides it.
  if (readConsent() === 'denied') setConsent('granted');
}

/**
 * Footer link that turns analytics off or on again; with a third-party script configured, turning it on asks for
 * consent.
 */
export function ConsentLink() {
  const isOff = useConsent() === 'denied';
  return (
    <button
      type="button"
      className="inline-flex min-h-11 items-center hover:text-action hover:underline hover:underline-offset-4"
      onClick={() => (isOff ? turnOn() : setConsent('denied'))}
    >
      Statistics: {isOff ? 'off' : 'on'}
    </button>
  );
}
