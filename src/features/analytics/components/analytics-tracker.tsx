import { useEffect } from 'react';
import { setAnalytics } from '@/lib/analytics';
import { useSession } from '@/lib/auth';
import { getEnv } from '@/lib/env';
import { readConsent, useConsent } from '../consent';
import { createAdapter, flushWhenHidden, loadAnalyticsScript } from '../event-queue';

/**
 * Registers where events go: first-party events are stored in our database unless somebody objects; a third-party script is loaded only if
 * one is configured and after consent (ANA-01..04). Loaded after the first paint: events wait for it.
 */
export function AnalyticsTracker() {
  const { userId } = useSession();
  const consent = useConsent();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `consent` signals changes; during hydration it is still unknown
  useEffect(() => {
    const answer = readConsent();
    const src = answer === 'granted' ? getEnv().VITE_ANALYTICS_SRC : undefined;
    if (src) loadAnalyticsScript(src);
    setAnalytics(answer === 'denied' ? null : createAdapter({ userId, hasScript: src !== undefined }));
    return () => setAnalytics(null);
  }, [userId, consent]);

  useEffect(flushWhenHidden, []);
  return null;
}
