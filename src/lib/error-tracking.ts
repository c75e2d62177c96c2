import { AppError, isBusy, referenceLength } from './errors';

/**
 * DSN to which errors are reported. A build-time constant, so that a build without it contains none of the code below;
 * src/lib/env.ts validates it.
 */
const dsn: string | undefined = import.meta.env.VITE_SENTRY_DSN || undefined;

/** References of errors without a request id. */
const references = new WeakMap<object, string>();
const reported = new WeakSet<object>();

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether it is a defect of ours: a server error or an exception. Refusals, overload and lost connections are expected. */
function isFault(error: unknown): boolean {
  if (error instanceof AppError) return (error.status >= 500 && !isBusy(error)) || error.code === 'UNKNOWN';
  return !(
    error instanceof Error && ['AbortError', 'CancelledError', 'PageLoadError', 'EnvError'].includes(error.name)
  );
}

/** Reference shown to people, by which support finds the report; undefined without error tracking. */
export function crashReference(error: unknown): string | undefined {
  if (!dsn || !isObject(error)) return undefined;
  const known = references.get(error) ?? crypto.randomUUID().slice(0, referenceLength);
  references.set(error, known);
  return known;
}

/** Reports an error once, if error tracking is configured. Sentry is lazy-loaded with the first one. Never throws. */
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

/** Reports uncaught errors, except those from extensions and third-party scripts. */
export function startErrorTracking(): void {
  if (!dsn) return;
  window.addEventListener('error', ({ error, filename }) => {
    if (filename.startsWith(window.location.origin)) reportError(error);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
}

/** For React's root: also reports errors caught by an error boundary. */
export function rootOptions(): { onCaughtError?: (error: unknown) => void } {
  if (!dsn) return {};
  return {
    onCaughtError: (error) => {
      console.error(error);
      reportError(error);
    },
  };
}
