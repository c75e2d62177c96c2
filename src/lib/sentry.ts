import { captureException, dedupeIntegration, init, linkedErrorsIntegration } from '@sentry/react';
import { routeOf, scrubReport } from '../../supabase/functions/_shared/scrub.ts';
import { AppError } from './errors';

let isStarted = false;

/** Sends a report without personal data or user content. Lazy-loaded with the first error. */
export function sendReport(dsn: string, error: unknown, reference: string | undefined): void {
  if (!isStarted) start(dsn);
  const tags: Record<string, string> = { route: routeOf(window.location.href) };
  if (reference) tags.reference = reference;
  if (error instanceof AppError) Object.assign(tags, { code: error.code, status: String(error.status) });
  const cause = error instanceof AppError && error.cause instanceof Error ? error.cause : error;
  captureException(cause, { tags });
}

function start(dsn: string): void {
  isStarted = true;
  init({
    dsn,
    release: import.meta.env.VITE_RELEASE,
    environment: window.location.host,
    // No default integrations, which record clicks, requests and the console: only errors passed in here are reported.
    defaultIntegrations: false,
    integrations: [linkedErrorsIntegration(), dedupeIntegration()],
    // Keeps Sentry from deriving a user from the IP address.
    dataCollection: { userInfo: false },
    beforeSend: scrubReport,
  });
}
