/** Values an event may carry; anything deeper belongs into the database, not into analytics. */
export type EventData = Record<string, string | number | boolean | null | undefined>;

/** What the app reports. The adapter behind it decides where events go (ANA-01..04). */
export type Analytics = {
  pageView: (path: string, data?: EventData) => void;
  track: (event: string, data?: EventData) => void;
};

const silent: Analytics = { pageView: () => undefined, track: () => undefined };
let adapter = silent;

/** Plugs an adapter in; without one nothing is collected. */
export function setAnalytics(next: Analytics | null): void {
  adapter = next ?? silent;
}

/** Reports never break the page: a failing adapter is silent. */
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
