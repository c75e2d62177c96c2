/** Values an event may carry. Anything more structured belongs in the database, not in analytics. */
export type EventData = Record<string, string | number | boolean | null | undefined>;

/** What the app reports. The adapter behind it decides where events go (ANA-01..04). */
export type Analytics = {
  pageView: (path: string, data?: EventData) => void;
  track: (event: string, data?: EventData) => void;
};

const silent: Analytics = { pageView: () => undefined, track: () => undefined };
let adapter = silent;

/** Sets the adapter; without one nothing is collected. */
export function setAnalytics(next: Analytics | null): void {
  adapter = next ?? silent;
}

/** Reporting never breaks the page: a failing adapter is ignored. */
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
