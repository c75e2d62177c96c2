import type { EventData } from '@/lib/analytics';

/** Where tag managers and most statistics scripts pick up events. */
declare global {
  interface Window {
    dataLayer?: Record<string, unknown>[];
  }
}

/** Loads the configured script once per page load (ANA-01). It reads the events from `window.dataLayer`. */
export function loadAnalyticsScript(src: string): void {
  if (document.querySelector('script[data-analytics]')) return;
  const script = document.createElement('script');
  script.src = src;
  script.async = true;
  script.dataset.analytics = '';
  document.head.append(script);
}

/** Hands an event to the script. */
export function pushToScript(event: string, data: EventData): void {
  window.dataLayer ??= [];
  window.dataLayer.push({ event, ...data });
}
