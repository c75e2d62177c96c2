import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentProps, StrictMode, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { createBrowserRouter, type RouteObject, RouterProvider } from 'react-router-dom';
import { AlertProvider } from '@/components/alert-dialogs';
import { AppToaster } from '@/components/ui/app-toaster';
import { isAuthConfigured } from '@/lib/env';
import { createQueryClient } from '@/lib/query-client';
import { RouterContext } from '@/lib/router-context';
import { ErrorPage } from './pages/error-page';
import { appRoutes } from './routes';

/**
 * The router of the browser. React Router keeps scroll positions by the key of a history entry, and calls the entry of every
 * document "default": a page opened from a mail, the address bar or the payment page started as far down as the one before
 * it. A key of its own stays with the entry, so that a reload and Back still find their place.
 */
export function createAppRouter(routes: RouteObject[]) {
  const { state } = window.history;
  if (!state?.key) window.history.replaceState({ ...state, key: Math.random().toString(36).slice(2) }, '');
  return createBrowserRouter(routes);
}

type Props = { createRouter?: (routes: RouteObject[]) => ReturnType<typeof createAppRouter> };

/** The app with everything around it. Throws EnvError when it is not configured. */
export function App({ createRouter = createAppRouter }: Props) {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createRouter(appRoutes({ isAuthConfigured: isAuthConfigured() })));
  return (
    <QueryClientProvider client={queryClient}>
      <RouterContext value={router}>
        <AlertProvider>
          <RouterProvider router={router} />
        </AlertProvider>
      </RouterContext>
      <AppToaster />
    </QueryClientProvider>
  );
}

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
