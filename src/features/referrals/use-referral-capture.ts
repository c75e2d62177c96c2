import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useTrackReferralClick } from './mutations';
import { keepPendingReferral } from './pending-referral';
import { referralCodeIn } from './referral-link';

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
