import type { Analytics, EventData } from '@/lib/analytics';
import { enqueueEvent, sessionId } from './event-queue';
import { metricsEvent } from './metrics-event';

/** Sends every event to metrics_events and, with consent, to the third-party script. */
export function createAdapter({ userId, hasScript }: { userId: string | null; hasScript: boolean }): Analytics {
  const report = (name: string, data: EventData = {}) => {
    const context = {
      userId,
      href: window.location.href,
      userAgent: navigator.userAgent,
      sessionId: sessionId(),
      at: new Date(),
    };
    enqueueEvent(metricsEvent(name, data, context));
    if (hasScript) sendToProvider(name, data);
  };
  return {
    pageView: (path, data) => report('page_view', { label: path, ...data }),
    track: report,
  };
}

/** Queue from which tag managers and most analytics scripts read events. */
declare global {
  interface Window {
    dataLayer?: Record<string, unknown>[];
  }
}

/** Loads the configured script once per page load (ANA-01). It reads events from `window.dataLayer`. */
export function loadAnalyticsScript(src: string): void {
  if (document.querySelector('script[data-analytics]')) return;
  const script = document.createElement('script');
  script.src = src;
  script.async = true;
  script.dataset.analytics = '';
  document.head.append(script);
}

/** Passes an event to the script. */
function sendToProvider(event: string, data: EventData): void {
  window.dataLayer ??= [];
  window.dataLayer.push({ event, ...data });
}
