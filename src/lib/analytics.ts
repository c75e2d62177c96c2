/** Values allowed in an event. Anything more structured belongs in the database, not in analytics. */
export type EventData = Record<string, string | number | boolean | null | undefined>;

export type AnalyticsEvent = {
  name: string;
  data: EventData;
  /** The page's full URL when it happened. */
  href: string;
  at: Date;
};

/** Decides where events go (ANA-01..04). */
export type AnalyticsAdapter = (event: AnalyticsEvent) => void;

/** How many events are kept for an adapter that has not been loaded yet. */
const EARLY_EVENTS = 50;

let early: AnalyticsEvent[] = [];
let adapter: AnalyticsAdapter = (event) => {
  if (early.length < EARLY_EVENTS) early.push(event);
};

/** Analytics must never break the page: a failing adapter is ignored. */
function send(event: AnalyticsEvent): void {
  try {
    adapter(event);
  } catch (error) {
    console.warn('analytics', error);
  }
}

/** Sets the adapter, which receives all events from before the first call; with null they are discarded. */
export function setAnalytics(next: AnalyticsAdapter | null): void {
  adapter = next ?? (() => undefined);
  early.forEach(send);
  early = [];
}

export const analytics = {
  /** Reports an event. */
  track(name: string, data: EventData = {}): void {
    send({ name, data, href: window.location.href, at: new Date() });
  },
};
