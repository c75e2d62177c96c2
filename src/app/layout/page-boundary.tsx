import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useLocation } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { PageMeta } from '@/components/page-meta';
import { QueryGroup } from '@/components/query-group';
import { Button } from '@/components/ui/button';
import { LineDrawing } from '@/components/ui/line-drawing';
import { Hydrated } from '../hydrated';
import { PageLoadError } from '../lazy-page';
import { PageLoading } from '../pages/page-loading';

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

function PageOutOfReach() {
  const [isOffline] = useState(!navigator.onLine);

  useEffect(() => {
    window.addEventListener('online', handleRetry);
    return () => window.removeEventListener('online', handleRetry);
  }, []);

  return (
    <CenteredMessage>
      <Hydrated />
      <PageMeta title={isOffline ? 'You are offline' : 'Page not loaded'} />
      <LineDrawing name="torn" />
      <div role="alert">
        <h1 className="text-3xl">{isOffline ? 'You are offline' : 'This page could not be loaded'}</h1>
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
