import { onceFlag } from '@/lib/storage';

/** Remembers on this browser that a person has been through the wizard (ONB-01). */
export function completeOnboarding(userId: string): void {
  onceFlag.set('onboardingCompleted', userId);
}

/** Whether that person has been through it here. */
export function isOnboardingCompleted(userId: string): boolean {
  return onceFlag.isSet('onboardingCompleted', userId);
}
