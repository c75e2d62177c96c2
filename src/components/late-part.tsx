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
 * A part of the page that is lazy-loaded. When its code cannot be fetched (no network, or a deployment has replaced it), the part
 * says so; without this, the error page would take the place of everything, and of what somebody has typed.
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
