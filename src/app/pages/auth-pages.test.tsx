import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useMemo, useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { setAnalytics } from '@/lib/analytics';
import { AuthContext, type Identity } from '@/lib/auth/session';
import { asFounder } from '@/lib/role';
import { writeStorage } from '@/lib/storage';
import { fakeApi } from '@/lib/testing/fake-api';
import { loadingSession, renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { AppDashboardPage, AuthNotConfiguredPage, SignInPage, SignUpPage } from './auth-pages';

const routes = [
  { path: '/auth/signup/*', element: <SignUpPage /> },
  { path: '/auth/*', element: <SignInPage /> },
  { path: '/app-dashboard', element: <AppDashboardPage /> },
  { path: '*', element: <p>elsewhere</p> },
];

const radio = (name: RegExp) => screen.getByRole('radio', { name });

afterEach(() => {
  setAnalytics(null);
});

describe('signing in', () => {
  it('AUTH-02 shows the role picker and a link to sign up', () => {
    renderApp(null, { routes, path: '/auth/signin' });
    expect(screen.getByRole('radiogroup', { name: 'I am a' })).toBeInTheDocument();
    expect(radio(/Community Member: complete quests and earn rewards/i)).toBeChecked();
    expect(radio(/Startup: launch growth quests/i)).not.toBeChecked();
    expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/auth/signup');
  });

  it.each(['/auth', '/auth/', '/auth/verify-email', '/auth/sign-in', '/auth/sso-callback/x'])(
    'ROUTE-06 %s leads to the address at which the provider has a form, with all that it asks for',
    (path) => {
      const { router } = renderApp(null, { routes, path: `${path}?redirect=/rewards&role=startup_unverified#there` });
      const { pathname, search, hash } = router.state.location;
      expect(`${pathname}${search}${hash}`).toBe('/auth/signin?redirect=/rewards&role=startup_unverified#there');
      expect(radio(/Startup/)).toBeChecked();
    },
  );

  it.each(['/auth/signin/factor-one', '/auth/signin/sso-callback'])(
    '%s is a step of the provider and stays',
    (path) => {
      const { router } = renderApp(null, { routes, path });
      expect(router.state.location.pathname).toBe(path);
    },
  );

  it.each(['/auth/signin/', '/auth/signup/'])('%s is the first step too, and has the role picker', (path) => {
    renderApp(null, { routes, path });
    expect(screen.getByRole('radiogroup', { name: 'I am a' })).toBeInTheDocument();
  });

  it.each([
    [true, 'Sign in again to continue where you left off. What you had not saved there was lost.'],
    [false, 'Sign in again to continue where you left off.'],
  ])('C-16 tells somebody whose session has ended what has happened (text lost: %s)', async (isTextLost, sentence) => {
    const { router } = renderApp(null, { routes, path: '/elsewhere' });
    await act(() => router.navigate('/auth/signin?redirect=/settings', { state: { signedOut: { isTextLost } } }));
    expect(screen.getByText('You were signed out')).toBeVisible();
    expect(screen.getByText(sentence)).toBeVisible();
  });

  it('C-16 tells nobody else', () => {
    renderApp(null, { routes, path: '/auth/signin?redirect=/settings' });
    expect(screen.queryByText('You were signed out')).not.toBeInTheDocument();
  });

  it.each(['/auth/signin', '/auth/signup'])(
    'AUTH-03 C-67 %s stores the role from its address without a click',
    (path) => {
      renderApp(null, { routes, path: `${path}?role=startup_unverified` });
      expect(radio(/Startup/)).toBeChecked();
      expect(localStorage.getItem('selectedRole')).toBe('startup_unverified');
    },
  );

  it('AUTH-03 C-67 the address takes precedence over an earlier choice, and a click over the address', async () => {
    localStorage.setItem('selectedRole', 'startup_unverified');
    const { user } = renderApp(null, { routes, path: '/auth/signin?role=community' });
    expect(radio(/Community Member/)).toBeChecked();
    expect(localStorage.getItem('selectedRole')).toBe('community');
    await user.click(radio(/Startup/));
    expect(radio(/Startup/)).toBeChecked();
    expect(localStorage.getItem('selectedRole')).toBe('startup_unverified');
  });

  it.each(['admin', 'startup_verified', 'emperor', ''])('C-67 a role "%s" in the address is not stored', (role) => {
    renderApp(null, { routes, path: `/auth/signin?role=${role}` });
    expect(radio(/Community Member/)).toBeChecked();
    expect(localStorage.getItem('selectedRole')).toBeNull();
  });

  it.each([
    ['who is signed in', signedIn('community')],
    ['whose session is loading', loadingSession],
  ])('C-67 changes nothing for somebody %s', (_, identity) => {
    renderApp(null, { routes, path: '/auth/signin?role=startup_unverified', identity });
    expect(localStorage.getItem('selectedRole')).toBeNull();
  });

  it('AUTH-03 the chosen role is stored as selectedRole, and preselected on the next visit', async () => {
    const { user, unmount } = renderApp(null, { routes, path: '/auth/signin' });
    expect(localStorage.getItem('selectedRole')).toBeNull();
    await user.click(radio(/Startup/));
    expect(localStorage.getItem('selectedRole')).toBe('startup_unverified');
    unmount();
    renderApp(null, { routes, path: '/auth/signup' });
    expect(radio(/Startup/)).toBeChecked();
  });

  it('AUTH-03 C-17 passes redirect and role on to sign-up', () => {
    renderApp(null, { routes, path: '/auth/signin?redirect=/rewards&role=startup_unverified' });
    const href = screen.getByRole('link', { name: 'Sign up' }).getAttribute('href');
    expect(href).toBe('/auth/signup?redirect=%2Frewards&role=startup_unverified');
  });

  it('offers a retry when the provider cannot be reached', () => {
    renderApp(null, { routes, path: '/auth/signin', identity: { status: 'signed-out', isUnavailable: true } });
    expect(screen.getByRole('alert')).toHaveTextContent('could not be reached');
    expect(screen.getByRole('button', { name: 'Retry' })).toBeInTheDocument();
  });
});

describe('signing up', () => {
  it('AUTH-04 has its headline and a link to sign in', () => {
    renderApp(null, { routes, path: '/auth/signup' });
    expect(screen.getByRole('heading', { name: 'Join the Community' })).toBeInTheDocument();
    expect(screen.getByRole('radiogroup', { name: 'I am a' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth/signin');
  });

  it('addresses founders with their benefits, under the same headline', async () => {
    const { user } = renderApp(null, { routes, path: '/auth/signup' });
    expect(screen.getByText(/earn points, spend them on rewards/)).toBeInTheDocument();
    await user.click(radio(/Startup/));
    expect(screen.getByRole('heading', { name: 'Join the Community' })).toBeInTheDocument();
    expect(screen.getByText(/Post quests for your product/)).toBeInTheDocument();
    expect(screen.queryByText(/spend them on rewards/)).not.toBeInTheDocument();
  });

  it('HOME-02 AUTH-03 a link for founders preselects Startup and stores it without a click', async () => {
    const { router } = renderApp(null, { routes });
    await act(() => router.navigate('/auth/signup', { state: asFounder }));
    expect(radio(/Startup/)).toBeChecked();
    expect(localStorage.getItem('selectedRole')).toBe('startup_unverified');
    await act(() => router.navigate('/auth/signup/verify-email-address'));
    expect(localStorage.getItem('selectedRole')).toBe('startup_unverified');
  });

  it('HOME-02 AUTH-06 a member who starts a project gets to its side, not back to the community', async () => {
    const { calls } = fakeApi({ 'rpc switch_role': { user_id: 'user_test', role: 'startup_unverified' } });
    const { router } = renderApp(null, { routes, identity: signedIn('community') });
    await act(() => router.navigate('/auth/signup', { state: asFounder }));
    expect(screen.getByRole('heading', { name: 'Already Signed In!' })).toBeInTheDocument();
    await userEvent.click(await screen.findByRole('link', { name: 'Continue now' }));
    expect(calls.map(({ path, body }) => [path, body])).toEqual([['rpc/switch_role', { p_role: 'startup' }]]);
    await waitFor(() => expect(router.state.location.pathname).toBe('/startup'));
  });

  describe('with an invitation that waits', () => {
    const open = async (greeting: { inviter_name: string | null; referred_points: number }) => {
      writeStorage('pendingReferral', 'REFWAITING');
      const api = fakeApi({ 'rpc get_referral_greeting': greeting });
      const app = renderApp(null, { routes, path: '/auth/signup' });
      await waitFor(() => expect(api.calls.map(({ body }) => body)).toEqual([{ p_code: 'REFWAITING' }]));
      await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
      return app;
    };

    it('says who invites and what joining brings, to members', async () => {
      const { user } = await open({ inviter_name: 'Robin***ler', referred_points: 250 });
      expect(await screen.findByText('Robin***ler invites you')).toBeInTheDocument();
      const bonus = 'You get 250 points for joining, to redeem after your first approved task.';
      expect(screen.getByText(bonus)).toBeInTheDocument();
      await user.click(radio(/Startup/));
      expect(screen.queryByText('Robin***ler invites you')).not.toBeInTheDocument();
    });

    it("promises no points where there are none, and nothing at all for a code that is nobody's", async () => {
      const { unmount } = await open({ inviter_name: 'Robin***ler', referred_points: 0 });
      expect(await screen.findByText('Robin***ler invites you')).toBeInTheDocument();
      expect(screen.queryByText(/for joining/)).not.toBeInTheDocument();
      unmount();
      await open({ inviter_name: null, referred_points: 250 });
      expect(screen.queryByText(/invites you|for joining/)).not.toBeInTheDocument();
    });
  });

  it('links the terms that users accept', () => {
    renderApp(null, { routes, path: '/auth/signup' });
    expect(screen.getByRole('link', { name: 'terms of use' })).toHaveAttribute('href', '/terms');
    expect(screen.getByRole('link', { name: 'privacy policy' })).toHaveAttribute('href', '/privacy');
  });

  it('AUTH-05 reports a new account once and continues after 3 seconds', () => {
    vi.useFakeTimers();
    const track = vi.fn();
    setAnalytics(track);
    const identity = signedIn('community', { createdAt: Date.now() });
    const { router, unmount } = renderApp(null, { routes, path: '/auth/signup?redirect=/rewards', identity });
    expect(track.mock.calls.map(([{ name }]) => name)).toEqual(['registration_conversion', 'user_journey']);
    act(() => vi.advanceTimersByTime(2999));
    expect(router.state.location.pathname).toBe('/auth/signup');
    act(() => vi.advanceTimersByTime(1));
    expect(router.state.location.pathname).toBe('/rewards');

    unmount();
    renderApp(null, { routes, path: '/auth/signup', identity });
    expect(track).toHaveBeenCalledTimes(2);
  });
});

it.each(['/auth/signup/verify-email-address', '/auth/signin/factor-one'])(
  'on %s the form itself says what it asks: no picker, no headline of ours',
  (path) => {
    renderApp(null, { routes, path });
    expect(screen.queryByRole('radiogroup')).not.toBeInTheDocument();
    expect(screen.queryByRole('heading')).not.toBeInTheDocument();
  },
);

function Visit({ router, identity }: { router: ReturnType<typeof createMemoryRouter>; identity: Identity }) {
  const [current, setCurrent] = useState<Identity>(signedOut);
  const value = useMemo(
    () => ({ identity: current, signOut: async () => {}, openAccount: () => {}, setFormSlot: () => {} }),
    [current],
  );
  const [queryClient] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={queryClient}>
      <AuthContext value={value}>
        <RouterProvider router={router} />
        <button type="button" onClick={() => setCurrent(identity)}>
          the provider says yes
        </button>
      </AuthContext>
    </QueryClientProvider>
  );
}

describe('C-106 redirect delays', () => {
  /** A visitor opens the page and then signs in. */
  async function signInOn(path: string, identity: Identity) {
    const router = createMemoryRouter(routes, { initialEntries: [path] });
    const user = userEvent.setup(vi.isFakeTimers() ? { advanceTimers: vi.advanceTimersByTime } : {});
    render(<Visit router={router} identity={identity} />);
    await user.click(screen.getByRole('button', { name: 'the provider says yes' }));
    return router;
  }

  it('C-106 a user who has just signed in continues at once', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const router = await signInOn('/auth/signin?redirect=/rewards', signedIn());
    // Without a delay: what is due now.
    await act(async () => vi.advanceTimersByTime(0));
    expect(router.state.location.pathname).toBe('/rewards');
  });

  it('C-106 a user who has just registered sees the welcome for 3 seconds, or continues with a press', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const newcomer = signedIn('community', { createdAt: Date.now() });
    const router = await signInOn('/auth/signup?redirect=/rewards', newcomer);
    expect(screen.getByRole('heading', { name: 'Welcome to Questboard' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Continue now' })).toHaveAttribute('href', '/rewards');
    act(() => vi.advanceTimersByTime(2500));
    expect(router.state.location.pathname).toBe('/auth/signup');
    act(() => screen.getByRole('link', { name: 'Continue now' }).click());
    expect(router.state.location.pathname).toBe('/rewards');
  });
});

describe('AUTH-03 a page that is loaded again in the middle of signing in', () => {
  const reloadAt = async (path: string) => {
    const router = createMemoryRouter(routes, { initialEntries: [path] });
    const user = userEvent.setup();
    const { unmount } = render(<Visit router={router} identity={signedIn()} />);
    return { router, user, unmount };
  };

  it('still knows where to go afterwards', async () => {
    (await reloadAt('/auth/signin?redirect=/rewards')).unmount();
    const { router, user } = await reloadAt('/auth/signin/factor-one');
    await user.click(screen.getByRole('button', { name: 'the provider says yes' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/rewards'));
  });

  it('goes where a later visit wanted to go, if anywhere', async () => {
    (await reloadAt('/auth/signin?redirect=/rewards')).unmount();
    (await reloadAt('/auth/signin')).unmount();
    const { router, user } = await reloadAt('/auth/signin/factor-one');
    await user.click(screen.getByRole('button', { name: 'the provider says yes' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/app-dashboard'));
  });
});

describe('a user who is already signed in', () => {
  it.each(['/auth/signin', '/auth/signup'])('AUTH-06 on %s is told so and redirected after 3 seconds', (path) => {
    vi.useFakeTimers();
    const { router } = renderApp(null, { routes, path, identity: signedIn() });
    expect(screen.getByRole('heading', { name: 'Already Signed In!' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Continue now' })).toHaveAttribute('href', '/app-dashboard');
    act(() => vi.advanceTimersByTime(2999));
    expect(router.state.location.pathname).toBe(path);
    act(() => vi.advanceTimersByTime(1));
    expect(router.state.location.pathname).toBe('/app-dashboard');
  });

  it('C-17 is not redirected to another site', () => {
    renderApp(null, { routes, path: '/auth/signin?redirect=//evil.example', identity: signedIn() });
    expect(screen.getByRole('link', { name: 'Continue now' })).toHaveAttribute('href', '/app-dashboard');
  });
});

describe('the landing after signing in', () => {
  it.each([
    ['community', '/community'],
    ['startup_unverified', '/startup'],
    ['startup_verified', '/startup'],
    ['admin', '/admin'],
  ] as const)('AUTH-07 C-18 takes %s to %s', (role, home) => {
    vi.useFakeTimers();
    const { router } = renderApp(null, { routes, path: '/app-dashboard', identity: signedIn(role) });
    expect(screen.getByRole('heading', { name: 'Welcome! Taking you to your dashboard...' })).toBeInTheDocument();
    act(() => vi.advanceTimersByTime(3000));
    expect(router.state.location.pathname).toBe(home);
  });

  it('AUTH-07 C-18 shows debug info, and lets startups stay in the community', () => {
    renderApp(null, { routes, path: '/app-dashboard', identity: signedIn('startup_verified') });
    expect(screen.getByText('Debug info')).toBeInTheDocument();
    expect(screen.getByText('user_test')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Stay in the community' })).toHaveAttribute('href', '/community');
  });
});

it('ROUTE-18 without a provider the auth pages say that browsing still works', () => {
  renderApp(<AuthNotConfiguredPage />);
  expect(screen.getByRole('heading', { name: 'Authentication Not Configured' })).toBeInTheDocument();
  expect(screen.getByText(/Browsing still works/)).toBeInTheDocument();
});
