export { PendingInvitation } from './components/pending-invitation';
export { ReferralCard } from './components/referral-card';
export { ReferralClaim } from './components/referral-claim';
export { ReferralGreeting } from './components/referral-greeting';
export { referralQueries } from './queries';
