import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { useSession } from '@/lib/auth';
import { formatCount } from '@/lib/format';
import { createStorageStore, readStorage, writeStorage } from '@/lib/storage';
import { useTrackReferralClick } from './mutations';

/** The shareable link: the root of the site with the code as `ref` (REF-03). */
export function referralLink(code: string, siteUrl: string): string {
  const url = new URL('/', siteUrl);
  url.searchParams.set('ref', code);
  return url.href;
}

/** The code in an address, as the database writes codes; null when there is none or it cannot be one. */
export function referralCodeIn(search: string): string | null {
  const code = new URLSearchParams(search).get('ref')?.trim().toUpperCase();
  return code && /^[A-Z0-9]{4,20}$/.test(code) ? code : null;
}

/** The code in what somebody was sent: the code alone, a referral link, or a message with one; null when there is none. */
export function typedReferralCode(text: string): string | null {
  const query = /\?[^#\s]*/.exec(text)?.[0];
  return referralCodeIn(query ?? `?${new URLSearchParams({ ref: text })}`);
}

/** What joining brings; null when it brings nothing. */
export const bonusText = (points: number): string | null =>
  points > 0 ? `You get ${formatCount(points, 'point')} for joining, to redeem after your first approved task.` : null;

/** Says that the bonus has arrived, and what makes it redeemable (C-80). */
export const arrivalText = (points: number): string =>
  `Welcome. You have ${formatCount(points, 'point')} from your invitation, to redeem after your first approved task.`;

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

/**
 * Home's part of a referral: `?ref=` keeps the code until sign-up and counts a click (REF-04), once it is known who visits: an owner's own
 * visit counts for nothing. Failures stay silent.
 */
export function useReferralCapture(): void {
  const { search } = useLocation();
  const code = referralCodeIn(search);
  const isKnown = useSession().status !== 'loading';
  const { mutate: trackClick } = useTrackReferralClick();

  useEffect(() => {
    if (!code) return;
    keepPendingReferral(code);
    if (!isKnown || tracked.has(code)) return;
    tracked.add(code);
    trackClick(code);
  }, [code, isKnown, trackClick]);
}
