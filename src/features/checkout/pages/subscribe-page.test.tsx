import { act, screen, waitFor } from '@testing-library/react';
import type { Identity } from '@/lib/auth/session';
import { setTokenSource } from '@/lib/auth/token';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { projectRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import SubscribePage from './subscribe-page';

const endpoint = 'POST /api/stripe/create-checkout-session';
const payment = () => `${window.location.origin}${window.location.pathname}#payment`;
const failing = (status: number, code: string, message: string) =>
  Response.json({ ok: false, code, message }, { status });

const project = projectRow({ id: 'startup-1', owner_user_id: 'user_test', name: 'Lumen' });
const subscription = {
  id: 'subscription-1',
  startup_id: project.id,
  plan_id: 'og_lifetime',
  status: 'active',
  current_period_end: null,
};

type Situation = { identity?: Identity; path?: string; routes?: Record<string, unknown>; token?: string | null };

function setUp({ identity = signedIn('startup_verified'), path = '', routes = {}, token = 'jwt' }: Situation = {}) {
  setTokenSource(async () => token);
  const api = fakeApi({
    'GET app_settings': [settingsRow()],
    'rpc get_og_slots': [{ total_slots: 100, remaining_slots: 42 }],
    'GET startup_profiles': [projectRow({ id: 'other' }), project],
    'GET subscriptions': [{ ...subscription, startup_id: 'other' }],
    'rpc switch_role': { user_id: 'user_test', role: 'startup_unverified' },
    [endpoint]: { url: payment() },
    ...routes,
  });
  const view = renderApp(null, {
    identity,
    path: `/startup/subscribe${path}`,
    routes: [
      { path: '/startup/subscribe', element: <SubscribePage /> },
      { path: '/startup', element: <p>Dashboard</p> },
    ],
  });
  const calls = (name: string) => api.calls.filter((call) => call.path === name);
  const subscribe = async () => view.user.click(await screen.findByRole('button', { name: /^Get OG Lifetime/ }));
  return { ...view, api, calls, subscribe };
}

afterEach(() => setTokenSource(null));

describe('the plan', () => {
  it("SUBS-01 shows 'OG Lifetime Access' with $99 once, $297, 67% off, 100 slots and the guarantee", async () => {
    setUp();
    expect(screen.getByRole('heading', { name: 'OG Lifetime Access' })).toBeInTheDocument();
    for (const text of ['$99', 'once', '67% off', 'Limited to 100 slots']) {
      expect(screen.getByText(text)).toBeInTheDocument();
    }
    expect(screen.getByText('$297').closest('s')).toBeInTheDocument();
    expect(screen.getByText(/30-day money-back guarantee/)).toBeInTheDocument();
    expect(await screen.findByText('42 of 100 slots left')).toBeInTheDocument();
    expect(screen.getByRole('meter', { name: 'Slots left' })).toHaveAttribute('value', '42');
  });

  it('SUBS-02 shows 100 slots until they are loaded, and when they cannot be loaded', async () => {
    const { calls } = setUp({ routes: { 'rpc get_og_slots': offline() } });
    expect(screen.getByText('100 of 100 slots left')).toBeInTheDocument();
    await waitFor(() => expect(calls('rpc/get_og_slots')).not.toEqual([]));
    expect(screen.getByText('100 of 100 slots left')).toBeInTheDocument();
  });

  it("SUBS-02 the button reads 'Sold Out' and is disabled when no slots are left", async () => {
    setUp({ routes: { 'rpc get_og_slots': [{ total_slots: 100, remaining_slots: 0 }] } });
    expect(await screen.findByRole('button', { name: 'Sold Out' })).toBeDisabled();
  });

  it('TRUST-18 says why a suspended owner cannot buy it, before the button is pressed', async () => {
    const suspended = { ...project, suspended_at: '2026-02-01T00:00:00Z' };
    setUp({ routes: { 'GET startup_profiles': [projectRow({ id: 'other' }), suspended] } });
    expect(await screen.findByText(/^Your account is suspended\./)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /^Get OG Lifetime/ })).toBeDisabled();
  });

  it('tells the owner of a project under review that it can use the plan once it is verified', async () => {
    const { unmount } = setUp({ routes: { 'GET startup_profiles': [{ ...project, status: 'pending' }] } });
    expect(await screen.findByText('Your project is not verified. It can use the plan once it is.')).toBeVisible();
    expect(screen.getByRole('button', { name: /^Get OG Lifetime/ })).toBeEnabled();
    unmount();
    setUp({ routes: { 'GET startup_profiles': [project] } });
    expect(await screen.findByRole('button', { name: /^Get OG Lifetime/ })).toBeEnabled();
    expect(screen.queryByText(/not verified/)).not.toBeInTheDocument();
  });

  it('sells nothing to owners of the plan', async () => {
    setUp({ routes: { 'GET subscriptions': [subscription] } });
    expect(await screen.findByText('You already have OG Lifetime Access.')).toBeInTheDocument();
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it.each([
    [null, 'Yours for good.'],
    ['2099-05-01T12:00:00Z', 'Runs until May 1, 2099.'],
  ])('SUBS-07 C-110 tells its owner how long it runs, and where its receipt is: period end %s', async (end, term) => {
    setUp({ routes: { 'GET subscriptions': [{ ...subscription, current_period_end: end }] } });
    expect(await screen.findByText(term)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See your payments' })).toHaveAttribute('href', '/startup/billing');
    expect(screen.queryByText(/You pay on Stripe/)).not.toBeInTheDocument();
  });

  it('SUBS-07 is not offered until it is known whether the project has it', async () => {
    const plans = Promise.withResolvers<unknown>();
    const { calls } = setUp({ routes: { 'GET subscriptions': () => plans.promise } });
    await waitFor(() => expect(calls('subscriptions')).not.toEqual([]));
    expect(screen.queryByRole('button', { name: /^Get OG Lifetime/ })).not.toBeInTheDocument();
    plans.resolve([]);
    expect(await screen.findByRole('button', { name: /^Get OG Lifetime/ })).toBeEnabled();
  });
});

describe('the role', () => {
  it('SUBS-04 a member becomes startup_unverified here', async () => {
    const { calls } = setUp({ identity: signedIn('community') });
    await waitFor(() => expect(localStorage.getItem('selectedRole')).toBe('startup_unverified'));
    expect(calls('rpc/switch_role').map(({ body }) => body)).toEqual([{ p_role: 'startup' }]);
  });

  it.each(['startup_unverified', 'startup_verified'] as const)('SUBS-04 %s is unchanged', async (role) => {
    const { calls } = setUp({ identity: signedIn(role) });
    await screen.findByText('42 of 100 slots left');
    expect(calls('rpc/switch_role')).toEqual([]);
  });

  it('C-11 an admin becomes a startup on this browser only', async () => {
    setUp({ identity: signedIn('admin'), routes: { 'rpc switch_role': { user_id: 'user_test', role: 'admin' } } });
    await waitFor(() => expect(localStorage.getItem('selectedRole')).toBe('startup_unverified'));
  });
});

describe('checkout', () => {
  it("SUBS-03 asks to sign in: 'Please sign in to subscribe'", async () => {
    const { subscribe, calls } = setUp({ identity: signedOut });
    await subscribe();
    expect(await screen.findByRole('alert')).toHaveTextContent('Please sign in to subscribe');
    expect(calls('/api/stripe/create-checkout-session')).toEqual([]);
  });

  it("SUBS-03 needs a project: 'Please create a project profile first'", async () => {
    const { subscribe, calls } = setUp({ routes: { 'GET startup_profiles': [] } });
    await subscribe();
    expect(await screen.findByRole('alert')).toHaveTextContent('Please create a project profile first');
    expect(screen.getByRole('link', { name: 'Create your profile' })).toHaveAttribute('href', '/startup/profile');
    expect(calls('/api/stripe/create-checkout-session')).toEqual([]);
  });

  it('SUBS-05 C-19 posts price, plan, startup and return addresses with the session token, and navigates to the returned URL', async () => {
    const { subscribe, calls } = setUp();
    await subscribe();
    await waitFor(() => expect(window.location.hash).toBe('#payment'));
    const { origin } = window.location;
    expect(calls('/api/stripe/create-checkout-session').map(({ body }) => body)).toEqual([
      {
        priceId: 'og_lifetime',
        planId: 'og_lifetime',
        startupId: project.id,
        expectedCents: 9900,
        successUrl: `${origin}/startup?success=subscription`,
        cancelUrl: `${origin}/startup/subscribe?plan=og_lifetime&cancelled=1`,
      },
    ]);
    const [, init] = vi.mocked(fetch).mock.calls.find(([input]) => String(input).includes('/api/stripe')) ?? [];
    expect(new Headers(init?.headers).get('authorization')).toBe('Bearer jwt');
  });

  it('TRUST-20 says when the price has changed, and shows the new one before anything is paid', async () => {
    const changed = 'This has changed since you looked: it is now $129.';
    const { api, subscribe } = setUp({ routes: { [endpoint]: () => failing(409, 'PRICE_CHANGED', changed) } });
    api.routes['GET app_settings'] = [settingsRow()];
    await screen.findByRole('button', { name: /for \$99/ });
    api.routes['GET app_settings'] = [settingsRow({ og_price_cents: 12_900 })];
    await subscribe();
    expect(await screen.findByRole('alert')).toHaveTextContent(/Failed to create checkout session: .* it is now \$129/);
    expect(await screen.findByRole('button', { name: /for \$129/ })).toBeEnabled();
    expect(window.location.hash).toBe('');
  });

  it("SUBS-05 without a session token it fails: 'User must be authenticated to create a subscription'", async () => {
    const { subscribe, calls } = setUp({ token: null });
    await subscribe();
    expect(await screen.findByRole('alert')).toHaveTextContent('User must be authenticated to create a subscription');
    expect(calls('/api/stripe/create-checkout-session')).toEqual([]);
  });

  it.each([
    ['no answer', offline(), 'Failed to start subscription'],
    ['an answer without url', {}, 'Failed to start subscription'],
    ['a url that is none', { url: 'javascript:alert(1)' }, 'Failed to start subscription'],
    ['sold out', () => failing(409, 'SOLD_OUT', 'Sold Out'), 'Failed to create checkout session: Sold Out'],
    ['Stripe is down', () => failing(502, 'X', 'No answer.'), 'Stripe API error (502): No answer'],
  ])('SUBS-06 %s is worded', async (_case, answer, sentence) => {
    const { subscribe } = setUp({ routes: { [endpoint]: answer } });
    await subscribe();
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(window.location.hash).toBe('');
  });

  it('SUBS-06 after a lost answer a second press leads to one payment page', async () => {
    const { api, calls, subscribe } = setUp({ routes: { [endpoint]: offline() } });
    await subscribe();
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to start subscription');
    api.routes[endpoint] = { url: payment() };
    await subscribe();
    await waitFor(() => expect(window.location.hash).toBe('#payment'));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(calls('/api/stripe/create-checkout-session')).toHaveLength(2);
  });

  it('nobody is carried away from another page by an answer that comes late', async () => {
    let answer: (response: Response) => void = () => undefined;
    const { router, subscribe } = setUp({
      routes: { [endpoint]: () => new Promise<Response>((resolve) => (answer = resolve)) },
    });
    await subscribe();
    await act(() => router.navigate('/startup'));
    await act(async () => answer(Response.json({ url: payment() })));
    expect(screen.getByText('Dashboard')).toBeInTheDocument();
    expect(window.location.hash).toBe('');
  });

  it('says when the project cannot be read, instead of claiming that there is none', async () => {
    const { subscribe } = setUp({ routes: { 'GET startup_profiles': refuse(500, null, 'boom') } });
    await subscribe();
    expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong on our side. Please try again.');
  });
});

describe('returning from checkout', () => {
  it('C-20 a paid checkout is forwarded to the panel of the dashboard', async () => {
    const { router } = setUp({ path: '?success=subscription' });
    expect(await screen.findByText('Dashboard')).toBeInTheDocument();
    expect(router.state.location.search).toBe('?success=subscription');
  });

  it('C-20 a member is made a startup first, so that the dashboard lets them in', async () => {
    setUp({ identity: signedIn('community'), path: '?success=subscription' });
    expect(await screen.findByText('Dashboard')).toBeInTheDocument();
  });

  it('C-20 shows the panel itself when the role cannot be changed', async () => {
    setUp({
      identity: signedIn('community'),
      path: '?success=subscription',
      routes: { 'rpc switch_role': offline() },
    });
    expect(await screen.findByText('Your plan starts as soon as the payment is confirmed.')).toBeInTheDocument();
    expect(screen.getByText('Payment Successful')).toBeInTheDocument();
  });

  it('shows that a cancelled checkout cost nothing, until it is dismissed', async () => {
    const { user } = setUp({ path: '?plan=og_lifetime&cancelled=1' });
    expect(screen.getByText('Payment cancelled')).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Got it!' }));
    expect(screen.queryByText('Payment cancelled')).not.toBeInTheDocument();
  });

  it.each([
    ['fails', {}, 'Failed to start subscription'],
    ['needs a project first', { 'GET startup_profiles': [] }, 'Please create a project profile first'],
  ])('a new attempt that %s is not shown beside the cancelled one', async (_case, routes, sentence) => {
    const { subscribe, router } = setUp({
      path: '?plan=og_lifetime&cancelled=1',
      routes: { [endpoint]: offline(), ...routes },
    });
    await subscribe();
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(screen.queryByText('Payment cancelled')).not.toBeInTheDocument();
    expect(router.state.location.search).toBe('?plan=og_lifetime');
  });
});
