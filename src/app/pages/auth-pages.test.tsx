import { act, screen } from '@testing-library/react';
import { setAnalytics } from '@/lib/analytics';
import { loadingSession, renderApp, signedIn } from '@/lib/testing/render';
import AppDashboardPage from './app-dashboard-page';
import SignInPage from './sign-in-page';
import SignUpPage from './sign-up-page';

const routes = [
  { path: '/auth/signup/*', element: <SignUpPage /> },
  { path: '/auth/*', element: <SignInPage /> },
  { path: '/app-dashboard', element: <AppDashboardPage /> },
  { path: '*', element: <p>elsewhere</p> },
];

const radio = (name: RegExp) => screen.getByRole('radio', { name });

afterEach(() => {
  vi.useRealTimers();
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

  it.each(['/auth/signin', '/auth/signup'])('AUTH-03 C-67 %s keeps the role of its address without a click', (path) => {
    renderApp(null, { routes, path: `${path}?role=startup_unverified` });
    expect(radio(/Startup/)).toBeChecked();
    expect(localStorage.getItem('selectedRole')).toBe('startup_unverified');
  });

  it('AUTH-03 C-67 the address counts more than an earlier choice, and a click more than the address', async () => {
    localStorage.setItem('selectedRole', 'startup_unverified');
    const { user } = renderApp(null, { routes, path: '/auth/signin?role=community' });
    expect(radio(/Community Member/)).toBeChecked();
    expect(localStorage.getItem('selectedRole')).toBe('community');
    await user.click(radio(/Startup/));
    expect(radio(/Startup/)).toBeChecked();
    expect(localStorage.getItem('selectedRole')).toBe('startup_unverified');
  });

  it.each(['admin', 'startup_verified', 'emperor', ''])('C-67 a role "%s" in the address is not kept', (role) => {
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

  it('AUTH-03 the picked role is saved as selectedRole, and is picked again on the next visit', async () => {
    const { user, unmount } = renderApp(null, { routes, path: '/auth/signin' });
    expect(localStorage.getItem('selectedRole')).toBeNull();
    await user.click(radio(/Startup/));
    expect(localStorage.getItem('selectedRole')).toBe('startup_unverified');
    unmount();
    renderApp(null, { routes, path: '/auth/signup' });
    expect(radio(/Startup/)).toBeChecked();
  });

  it('AUTH-03 C-17 hands redirect and role on to sign-up', () => {
    renderApp(null, { routes, path: '/auth/signin?redirect=/rewards&role=startup_unverified' });
    const href = screen.getByRole('link', { name: 'Sign up' }).getAttribute('href');
    expect(href).toBe('/auth/signup?redirect=%2Frewards&role=startup_unverified');
  });

  it('offers to try again when the provider cannot be reached', () => {
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

  it('AUTH-05 reports a new account once and goes on after 3 seconds', () => {
    vi.useFakeTimers();
    const track = vi.fn();
    setAnalytics({ pageView: () => undefined, track });
    const identity = signedIn('community', { createdAt: Date.now() });
    const { router, unmount } = renderApp(null, { routes, path: '/auth/signup?redirect=/rewards', identity });
    expect(track.mock.calls.map(([event]) => event)).toEqual(['registration_conversion', 'user_journey']);
    act(() => vi.advanceTimersByTime(2999));
    expect(router.state.location.pathname).toBe('/auth/signup');
    act(() => vi.advanceTimersByTime(1));
    expect(router.state.location.pathname).toBe('/rewards');

    unmount();
    renderApp(null, { routes, path: '/auth/signup', identity });
    expect(track).toHaveBeenCalledTimes(2);
  });
});

describe('someone who is signed in already', () => {
  it.each(['/auth/signin', '/auth/signup'])('AUTH-06 on %s is told so and taken on after 3 seconds', (path) => {
    vi.useFakeTimers();
    const { router } = renderApp(null, { routes, path, identity: signedIn() });
    expect(screen.getByRole('heading', { name: 'Already Signed In!' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Continue now' })).toHaveAttribute('href', '/app-dashboard');
    act(() => vi.advanceTimersByTime(2999));
    expect(router.state.location.pathname).toBe(path);
    act(() => vi.advanceTimersByTime(1));
    expect(router.state.location.pathname).toBe('/app-dashboard');
  });

  it('C-17 is not sent to another site', () => {
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

  it('AUTH-07 C-18 has debug info, and startups may stay in the community', () => {
    renderApp(null, { routes, path: '/app-dashboard', identity: signedIn('startup_verified') });
    expect(screen.getByText('Debug info')).toBeInTheDocument();
    expect(screen.getByText('user_test')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Stay in the community' })).toHaveAttribute('href', '/community');
  });
});
