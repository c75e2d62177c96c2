import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { analytics, setAnalytics } from '@/lib/analytics';
import { useSession } from '@/lib/auth';
import { getEnv } from '@/lib/env';
import { readConsent, useConsent } from '../consent';
import { createAdapter, flushWhenHidden, loadAnalyticsScript } from '../event-queue';
import { campaignTracking } from '../metrics-event';

/**
 * Registers the analytics provider and reports a page view per URL. Render it before the pages, so that it receives
 * their events. First-party events are stored in our database unless somebody objects; a third-party script is loaded
 * only if one is configured and after consent (ANA-01..04).
 */
export function AnalyticsTracker() {
  const { userId } = useSession();
  const consent = useConsent();
  const { pathname, search } = useLocation();
  const reported = useRef<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `consent` signals changes; during hydration it is still unknown
  useEffect(() => {
    const answer = readConsent();
    const src = answer === 'granted' ? getEnv().VITE_ANALYTICS_SRC : undefined;
    if (src) loadAnalyticsScript(src);
    setAnalytics(answer === 'denied' ? null : createAdapter({ userId, hasScript: src !== undefined }));
    return () => setAnalytics(null);
  }, [userId, consent]);

  useEffect(() => {
    if (reported.current === pathname) return;
    reported.current = pathname;
    analytics.pageView(pathname, campaignTracking(search));
  }, [pathname, search]);

  useEffect(flushWhenHidden, []);
  return null;
}
