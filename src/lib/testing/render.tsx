import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, type RenderResult, render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router-dom';
import { AlertProvider } from '@/components/alert-dialogs';
import { AppToaster } from '@/components/ui/app-toaster';
import { AuthContext, type Identity } from '../auth/session';
import { createMutationCache } from '../query-client';
import type { Role } from '../role';
import { RouterContext } from '../router-context';

export const signedOut: Identity = { status: 'signed-out' };
export const loadingSession: Identity = { status: 'loading' };

/** A signed-in identity; the active role follows from `clerkRole` unless localStorage says otherwise. */
export function signedIn(clerkRole: Role = 'community', overrides: Partial<Identity> = {}): Identity {
  return {
    status: 'signed-in',
    userId: 'user_test',
    email: 'member@example.org',
    name: 'Robin Reed',
    imageUrl: null,
    clerkRole,
    createdAt: Date.parse('2026-01-01'),
    ...overrides,
  } as Extract<Identity, { status: 'signed-in' }>;
}

type Options = {
  identity?: Identity;
  /** The initial path of the memory router; the element is shown on every path unless `routes` are given. */
  path?: string;
  routes?: RouteObject[];
  signOut?: () => Promise<void>;
  openAccount?: () => void;
};

/** Resolves once the requests that the app has begun are in `calls` of the fake server: before each it looks for a token. */
export const requestsSent = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)));

/** The app's providers without network: no retries, a memory router, an identity of your choice. */
export function renderApp(
  element: ReactElement | null,
  {
    identity = signedOut,
    path = '/',
    routes,
    signOut = () => Promise.resolve(),
    openAccount = () => undefined,
  }: Options = {},
): RenderResult & { user: UserEvent; router: ReturnType<typeof createMemoryRouter>; queryClient: QueryClient } {
  const queryClient = new QueryClient({
    mutationCache: createMutationCache(),
    defaultOptions: { queries: { retry: false, gcTime: Number.POSITIVE_INFINITY } },
  });
  const router = createMemoryRouter(routes ?? [{ path: '*', element }], { initialEntries: [path] });
  const result = render(
    <QueryClientProvider client={queryClient}>
      <AuthContext value={{ identity, signOut, openAccount, setFormSlot: () => undefined }}>
        <RouterContext value={router}>
          <AlertProvider>
            <RouterProvider router={router} />
          </AlertProvider>
        </RouterContext>
      </AuthContext>
      <AppToaster />
    </QueryClientProvider>,
  );
  return { ...result, user: userEvent.setup(), router, queryClient };
}
