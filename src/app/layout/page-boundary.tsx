import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useLocation } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { FirstContent } from '@/components/first-content';
import { PageMeta } from '@/components/page-meta';
import { QueryGroup } from '@/components/query-group';
import { Button } from '@/components/ui/button';
import { LineDrawing } from '@/components/ui/line-drawing';
import { Skeleton } from '@/components/ui/skeleton';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { useTargetLocation } from '@/lib/router-context';
import { endHydration } from '@/lib/use-is-hydrated';
import { PageLoadError } from '../lazy-page';

/**
 * Boundary for a page that is loading or could not be loaded. Errors of the page itself propagate to the app's fallback
 * (ERR-05).
 */
export function PageBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary FallbackComponent={PageFailure} resetKeys={[pathname]}>
      <QueryGroup>
        <Suspense fallback={<PageLoading />}>
          {children}
          <Hydrated />
        </Suspense>
      </QueryGroup>
    </ErrorBoundary>
  );
}

function PageFailure({ error }: FallbackProps) {
  if (error instanceof PageLoadError) return <PageOutOfReach />;
  throw error;
}

/** Reloads the document, because browsers cache a failed module import. */
const handleRetry = () => window.location.reload();

/** In place of a page that cannot be had without a connection; reloads by itself when there is one again. */
export function PageOutOfReach() {
  const [isOffline, setIsOffline] = useState(!navigator.onLine);

  useEffect(() => {
    // The connection may have come back before anything listened.
    if (isOffline && navigator.onLine) handleRetry();
    // Browsers may notice only after the page has failed.
    const handleOffline = () => setIsOffline(true);
    window.addEventListener('online', handleRetry);
    window.addEventListener('offline', handleOffline);
    return () => {
      window.removeEventListener('online', handleRetry);
      window.removeEventListener('offline', handleOffline);
    };
  }, [isOffline]);

  const title = isOffline ? 'You are offline' : 'This page could not be loaded';
  return (
    <CenteredMessage>
      <Hydrated />
      <PageMeta title={title} />
      <LineDrawing name="torn" />
      <div role="alert">
        <h1 className="text-3xl">{title}</h1>
        <p className="mt-2 text-muted">
          {isOffline
            ? 'This page loads as soon as you are back online.'
            : 'The connection failed, or Questboard was just updated. Loading it again usually helps.'}
        </p>
      </div>
      <Button onClick={handleRetry}>Retry</Button>
    </CenteredMessage>
  );
}

declare global {
  interface Window {
    /** Buttons clicked before hydration; index.html records them until `stop`. */
    earlyPresses?: { buttons: Set<HTMLElement>; stop: () => void };
  }
}

/**
 * Rendered after the page: when its effect runs, the page is hydrated, and the recorded clicks on buttons are replayed.
 * Links work without it.
 */
function Hydrated(): null {
  useEffect(() => {
    endHydration();
    const early = window.earlyPresses;
    if (!early) return;
    delete window.earlyPresses;
    for (const button of early.buttons) if (button.isConnected) button.click();
  }, []);
  return null;
}

/** A progress bar along the top edge while the next page loads and the previous one is still shown. */
export function NavigationProgress() {
  const shown = useLocation();
  const target = useTargetLocation();
  const isWaiting = target !== null && target.pathname !== shown.pathname;
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-50">
      {isWaiting && (
        <>
          <span className="sr-only">Loading page</span>
          <span aria-hidden="true" className="block h-1 origin-left animate-progress bg-action" />
        </>
      )}
    </div>
  );
}

/** Shown while a page's code or the session loads. */
export function PageLoading() {
  return <FirstContent part="page" fallback={<PageSkeleton />} />;
}

function PageSkeleton() {
  return (
    <div className="page-column py-8" aria-busy="true">
      <VisuallyHidden>
        <span role="status">Loading page</span>
      </VisuallyHidden>
      <Skeleton className="h-9 w-64 max-w-full" />
      <Skeleton className="mt-4 h-4 w-96 max-w-full" />
      <div className="card-grid mt-8">
        <Skeleton shape="card" className="h-44" />
        <Skeleton shape="card" className="h-44" />
        <Skeleton shape="card" className="h-44" />
      </div>
    </div>
  );
}
