import { useRouteError } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { LineDrawing } from '@/components/ui/line-drawing';
import { EnvError } from '@/lib/env';
import { crashReference } from '@/lib/error-tracking';
import { paths } from '@/lib/paths';

/**
 * The fallback after an uncaught error while rendering (ERR-05). Go Home reloads on purpose: the state that broke the
 * page must not survive.
 */
export function ErrorPage({ error: failure }: { error: unknown }) {
  const reference = crashReference(failure);
  return (
    <main>
      <PageMeta title="Something went wrong" />
      <CenteredMessage>
        <LineDrawing name="torn" />
        <h1 className="text-3xl">Oops! Something went wrong.</h1>
        <p className="text-muted">
          {failure instanceof EnvError
            ? failure.message
            : 'This page stopped working. Nothing you saved is lost; trying again usually helps.'}
        </p>
        {reference && <p className="text-muted text-sm">Reference {reference}</p>}
        <div className="flex flex-wrap justify-center gap-3">
          <Button onClick={() => window.location.reload()}>Try Again</Button>
          <Button variant="secondary" asChild>
            <a href={paths.home}>Go Home</a>
          </Button>
        </div>
      </CenteredMessage>
    </main>
  );
}

/** The same as the router's error element. */
export function RouteErrorPage() {
  return <ErrorPage error={useRouteError()} />;
}
