import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';

export const lostSentence = 'This could not be loaded. Please reload the page.';

type LatePartProps = {
  children: ReactNode;
  /** Shown until its code is there. */
  pending?: ReactNode;
  /** Shown when it cannot be fetched; by default a sentence. */
  lost?: ReactNode;
  onLost?: () => void;
};

/**
 * A lazy-loaded part of a page. If its code cannot be fetched (offline, or replaced by a deployment), only this part fails. Without it,
 * the error page would replace the whole app, including unsaved input.
 */
export function LatePart({
  children,
  pending = null,
  lost = <p role="alert">{lostSentence}</p>,
  onLost,
}: LatePartProps) {
  return (
    <ErrorBoundary fallback={lost} onError={onLost}>
      <Suspense fallback={pending}>{children}</Suspense>
    </ErrorBoundary>
  );
}
