export { ReferralCard } from './components/referral-card';
export { ReferralClaim } from './components/referral-claim';
export { PendingInvitation, ReferralGreeting } from './components/referral-greeting';
export { referralQueries } from './queries';
