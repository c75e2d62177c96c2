import { AppError, isBusy } from './errors';

/** As many letters of a request's id as people are shown. */
const referenceLetters = 8;

/**
 * Where errors are reported. Known when the app is built, so that a build without it has none of the code below; src/lib/env.ts says whether
 * it is well-formed.
 */
const dsn: string | undefined = import.meta.env.VITE_SENTRY_DSN || undefined;

/** References of errors that no server has numbered. */
const references = new WeakMap<object, string>();
const reported = new WeakSet<object>();

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Faults of ours: the server failed, or code did. Refusals, busy hours and broken connections are part of life. */
function isFault(error: unknown): boolean {
  if (error instanceof AppError) return (error.status >= 500 && !isBusy(error)) || error.code === 'UNKNOWN';
  return !(
    error instanceof Error && ['AbortError', 'CancelledError', 'PageLoadError', 'EnvError'].includes(error.name)
  );
}

/** What people are shown and support finds the report by; nothing while errors are not tracked. */
export function crashReference(error: unknown): string | undefined {
  if (!dsn || !isObject(error)) return undefined;
  const known = references.get(error) ?? crypto.randomUUID().slice(0, referenceLetters);
  references.set(error, known);
  return known;
}

/** Reports an error once, where error tracking is configured. Sentry is loaded with the first one. Never throws. */
export function reportError(error: unknown): void {
  if (!dsn || !isFault(error)) return;
  if (isObject(error)) {
    if (reported.has(error)) return;
    reported.add(error);
  }
  const reference = error instanceof AppError ? error.reference : crashReference(error);
  import('./sentry').then(
    ({ sendReport }) => sendReport(dsn, error, reference),
    (failure: unknown) => console.warn('An error could not be reported', failure),
  );
}

/** Errors that nobody catches. What extensions and strangers' scripts throw is not ours. */
export function startErrorTracking(): void {
  if (!dsn) return;
  window.addEventListener('error', ({ error, filename }) => {
    if (filename.startsWith(window.location.origin)) reportError(error);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
}

/** For React's root: what a boundary has caught is reported as well. */
export function rootOptions(): { onCaughtError?: (error: unknown) => void } {
  if (!dsn) return {};
  return {
    onCaughtError: (error) => {
      console.error(error);
      reportError(error);
    },
  };
}
