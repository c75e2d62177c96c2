import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lazy, Suspense } from 'react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router-dom';
import { useSignOut } from '@/lib/auth';
import { AuthProvider } from '@/lib/auth/auth-provider';
import type { Identity, ProviderActions } from '@/lib/auth/session';
import { createQueryClient } from '@/lib/query-client';
import { removeCookies, setCookie } from '@/lib/testing/cookies';
import { signedIn, signedOut } from '@/lib/testing/render';
import { RequireSession } from './guards';

const provider = vi.hoisted(() => ({ tell: null as ((identity: Identity) => void) | null }));
vi.mock('@/lib/auth/clerk-bridge', () => ({
  default: function Bridge(props: {
    onIdentity: (identity: Identity) => void;
    actionsRef: { current: ProviderActions | null };
  }) {
    provider.tell = props.onIdentity;
    props.actionsRef.current = {
      signOut: async () => props.onIdentity(signedOut),
      openAccount: () => undefined,
    };
    return null;
  },
}));

const home = Promise.withResolvers<{ default: () => React.ReactNode }>();
const Home = lazy(() => home.promise);

function Settings() {
  const signOut = useSignOut();
  return (
    <button type="button" onClick={() => void signOut()}>
      Sign Out
    </button>
  );
}

it('HEAD-07 signing out leads home, and not to sign in, when the code of home comes late', async () => {
  setCookie('__client_uat=1790000000');
  onTestFinished(removeCookies);
  const frame = (
    <AuthProvider>
      <Suspense fallback="Loading page">
        <Outlet />
      </Suspense>
    </AuthProvider>
  );
  const guarded = { element: <RequireSession />, children: [{ path: '/settings', element: <Settings /> }] };
  const children = [{ path: '/', element: <Home /> }, { path: '/auth/signin', element: <p>Sign in</p> }, guarded];
  const router = createMemoryRouter([{ element: frame, children }], { initialEntries: ['/settings'] });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(provider.tell).not.toBeNull());
  await act(async () => provider.tell?.(signedIn()));
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Sign Out' }));
  await act(async () => home.resolve({ default: () => <p>Home</p> }));
  expect(await screen.findByText(/Home|Sign in/)).toHaveTextContent('Home');
  expect(router.state.location.pathname).toBe('/');
});
