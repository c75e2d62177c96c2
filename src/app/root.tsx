import { type ComponentProps, StrictMode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { App } from './app';
import { ErrorPage } from './pages/error-page';

/** Content of #root in the browser and in the prerendering build; both must match for hydration. */
export function Root(props: ComponentProps<typeof App>) {
  return (
    <StrictMode>
      <ErrorBoundary FallbackComponent={ErrorPage}>
        <App {...props} />
      </ErrorBoundary>
    </StrictMode>
  );
}
