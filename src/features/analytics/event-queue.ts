import type { AnalyticsAdapter, EventData } from '@/lib/analytics';
import { readSessionStorage, writeSessionStorage } from '@/lib/storage';
import { campaignTracking, type MetricsEvent, metricsEvent } from './metrics-event';
import { sendMetricsEvents } from './mutations';

/** Batching delay in milliseconds. */
const gatherFor = 500;

let waiting: MetricsEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Flushes the queue. A failure drops the events, because analytics must never be noticed (ERR-04). */
function flushEvents(): void {
  clearTimeout(timer);
  timer = undefined;
  const events = waiting;
  waiting = [];
  if (events.length > 0) sendMetricsEvents(events).catch(() => undefined);
}

/** Queues an event for the next batch. */
export function enqueueEvent(event: MetricsEvent): void {
  waiting.push(event);
  timer ??= setTimeout(flushEvents, gatherFor);
}

/**
 * Flushes the queue when the page is hidden, the last moment that browsers guarantee. Returns a function that stops it.
 */
export function flushWhenHidden(): () => void {
  const handleHidden = () => {
    if (document.visibilityState === 'hidden') flushEvents();
  };
  document.addEventListener('visibilitychange', handleHidden);
  return () => document.removeEventListener('visibilitychange', handleHidden);
}

let inMemory: string | null = null;

function makeId(): string {
  // Not randomUUID: it needs a secure context, and a preview over plain HTTP must work too.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A random session id, stable until the tab is closed. It identifies nobody (ANA-04). */
export function sessionId(): string {
  if (inMemory) return inMemory;
  inMemory = readSessionStorage('sessionId') ?? makeId();
  writeSessionStorage('sessionId', inMemory);
  return inMemory;
}

/** Sends every event to metrics_events and, with consent, to the third-party script. Page views carry their campaign (ANA-02). */
export function createAdapter({ userId, hasScript }: { userId: string | null; hasScript: boolean }): AnalyticsAdapter {
  return ({ name, data: given, href, at }) => {
    const data = name === 'page_view' ? { ...given, ...campaignTracking(href) } : given;
    const visitor = { userId, userAgent: navigator.userAgent, sessionId: sessionId() };
    enqueueEvent(metricsEvent({ name, data, href, at }, visitor));
    if (hasScript) sendToProvider(name, data);
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
