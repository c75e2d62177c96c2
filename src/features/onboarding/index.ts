export { OnboardingInvite } from './components/onboarding-invite';
