import type { MetricsEvent } from './metrics-event';
import { sendMetricsEvents } from './mutations';

/** Milliseconds that events wait for others to travel with. */
const gatherFor = 500;

let waiting: MetricsEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends what waits, now. A failure loses the events: counting must never be noticed (ERR-04). */
function flushEvents(): void {
  clearTimeout(timer);
  timer = undefined;
  const events = waiting;
  waiting = [];
  if (events.length > 0) sendMetricsEvents(events).catch(() => undefined);
}

/** Takes an event for the next sending. */
export function enqueueEvent(event: MetricsEvent): void {
  waiting.push(event);
  timer ??= setTimeout(flushEvents, gatherFor);
}

/** Sends what waits when the page is hidden or left, the last moment that browsers promise. Returns how to stop. */
export function flushWhenHidden(): () => void {
  const handleHidden = () => {
    if (document.visibilityState === 'hidden') flushEvents();
  };
  document.addEventListener('visibilitychange', handleHidden);
  return () => document.removeEventListener('visibilitychange', handleHidden);
}

const key = 'questboard.session-id';
let inMemory: string | null = null;

function makeId(): string {
  // Not randomUUID: browsers offer that on secure origins only, and an unencrypted preview must work too.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A random id of this tab's visit; the same until the tab is closed. It names nobody (ANA-04). */
export function sessionId(): string {
  if (inMemory) return inMemory;
  try {
    inMemory = sessionStorage.getItem(key) ?? makeId();
    sessionStorage.setItem(key, inMemory);
  } catch {
    inMemory ??= makeId();
  }
  return inMemory;
}
