import { analytics } from '@/lib/analytics';
import { onceFlag } from '@/lib/storage';

/** An account younger than this was made in this visit. Milliseconds. */
const newAccountAge = 10 * 60 * 1000;

/** The provider may come back from another site, so "was signed out a moment ago" cannot tell a registration. */
export function isNewAccount({ createdAt }: { createdAt: number }, now = Date.now()): boolean {
  return now - createdAt < newAccountAge;
}

/** Reports the registration conversion and the user journey, once per user (AUTH-05). */
export function trackRegistration(userId: string, role: string): void {
  if (onceFlag.isSet('registrationTracked', userId)) return;
  onceFlag.set('registrationTracked', userId);
  analytics.track('registration_conversion', { role });
  analytics.track('user_journey', { step: 'registered', role });
}
