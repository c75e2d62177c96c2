import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { createStorageStore, readStorage, writeStorage } from '@/lib/storage';
import { useTrackReferralClick } from './mutations';
import { referralCodeIn } from './referral-link';

const store = createStorageStore('pendingReferral', 'pending-referral-changed');

/** The code that waits for a sign-up on this browser. */
export function readPendingReferral(): string | null {
  return readStorage('pendingReferral');
}

/** Keeps a code until a sign-up, or forgets it; other tabs hear of it through the storage event (C-66). */
export function keepPendingReferral(code: string | null): void {
  writeStorage('pendingReferral', code);
  store.notify();
}

/** The pending code, kept in step across tabs. */
export function usePendingReferral(): string | null {
  return useSyncExternalStore(store.subscribe, readPendingReferral, () => null);
}

/** Codes counted by this page load, so that coming back to home does not count the visit again. */
const tracked = new Set<string>();

/** Home's part of a referral: `?ref=` counts a click and keeps the code until sign-up (REF-04). Failures stay silent. */
export function useReferralCapture(): void {
  const { search } = useLocation();
  const code = referralCodeIn(search);
  const { mutate: trackClick } = useTrackReferralClick();

  useEffect(() => {
    if (!code) return;
    keepPendingReferral(code);
    if (tracked.has(code)) return;
    tracked.add(code);
    trackClick(code);
  }, [code, trackClick]);
}
