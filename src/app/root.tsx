import { type ComponentProps, StrictMode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { App } from './app';
import { ErrorPage } from './pages/error-page';

/** What stands in #root, in the browser and when the app is built: React takes over only what is the same. */
export function Root(props: ComponentProps<typeof App>) {
  return (
    <StrictMode>
      <ErrorBoundary FallbackComponent={ErrorPage}>
        <App {...props} />
      </ErrorBoundary>
    </StrictMode>
  );
}
