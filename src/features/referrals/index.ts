export { ReferralCard } from './components/referral-card';
export { referralQueries } from './queries';
export { useClaimReferral } from './use-claim-referral';
export { useReferralCapture } from './use-referral-capture';
