/** Values allowed in an event. Anything more structured belongs in the database, not in analytics. */
export type EventData = Record<string, string | number | boolean | null | undefined>;

/** Reports an event. The registered adapter decides where it goes (ANA-01..04). */
export type Analytics = {
  pageView: (path: string, data?: EventData) => void;
  track: (event: string, data?: EventData) => void;
};

const silent: Analytics = { pageView: () => undefined, track: () => undefined };
let adapter = silent;

/** Sets the adapter; without one, events are discarded. */
export function setAnalytics(next: Analytics | null): void {
  adapter = next ?? silent;
}

/** Analytics must never break the page: a failing adapter is ignored. */
function safely(report: () => void): void {
  try {
    report();
  } catch (error) {
    console.warn('analytics', error);
  }
}

export const analytics: Analytics = {
  pageView: (path, data) => safely(() => adapter.pageView(path, data)),
  track: (event, data) => safely(() => adapter.track(event, data)),
};
