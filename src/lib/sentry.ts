import { captureException, dedupeIntegration, init, linkedErrorsIntegration } from '@sentry/react';
import { routeOf, scrubReport } from '../../supabase/functions/_shared/scrub.ts';
import { AppError } from './errors';

let isStarted = false;

/** Sends a report without anything that tells who somebody is or what they wrote. Loaded with the first error. */
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
    // None of those that watch clicks, requests and the console: only what is handed over here is reported.
    defaultIntegrations: false,
    integrations: [linkedErrorsIntegration(), dedupeIntegration()],
    // The receiver must not make a person of the address that a report comes from.
    dataCollection: { userInfo: false },
    beforeSend: scrubReport,
  });
}
