export { ReferralCard } from './components/referral-card';
export { ReferralClaim } from './components/referral-claim';
export { useReferralCapture } from './pending-referral';
export { referralQueries } from './queries';
