import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { type RouteObject, RouterProvider } from 'react-router-dom';
import { AlertProvider } from '@/components/alert-provider';
import { AppToaster } from '@/components/ui/app-toaster';
import { isAuthConfigured } from '@/lib/env';
import { createQueryClient } from '@/lib/query-client';
import { RouterContext } from '@/lib/router-context';
import { createAppRouter } from './create-app-router';
import { appRoutes } from './routes';

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
