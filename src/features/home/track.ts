import { analytics } from '@/lib/analytics';

/** Reports a press of one of home's buttons; `place` is the section it stands in (ANA-02). */
export function trackCta(label: string, place: string): void {
  analytics.track('cta_click', { label, place });
}

/** Reports interest in a plan (ANA-02). */
export function trackPlan(plan: string): void {
  analytics.track('plan_click', { label: plan, place: 'pricing' });
}
