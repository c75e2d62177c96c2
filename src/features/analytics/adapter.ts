import type { Analytics, EventData } from '@/lib/analytics';
import { enqueueEvent } from './event-queue';
import { metricsEvent } from './metrics-event';
import { pushToScript } from './script';
import { sessionId } from './session-id';

/** Sends every event to metrics_events and, when a script has been allowed, to that as well. */
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
    if (hasScript) pushToScript(name, data);
  };
  return {
    pageView: (path, data) => report('page_view', { label: path, ...data }),
    track: report,
  };
}
