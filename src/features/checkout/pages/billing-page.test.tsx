import { act, screen, waitFor, within } from '@testing-library/react';
import { projectLimits } from '@/features/quests/testing/rows';
import { setTokenSource } from '@/lib/auth/token';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { projectRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import BillingPage from './billing-page';

const endpoint = 'POST /api/stripe/create-checkout-session';
const project = projectRow({ id: 'startup-1', owner_user_id: 'user_test', name: 'Lumen', status: 'verified' });

const limits = projectLimits({ quest_count: 1, budget_used: 500 });
const payment = (overrides = {}) => ({
  id: 'payment-1',
  product_id: 'points_small',
  points: 1000,
  amount_cents: 4900,
  currency: 'usd',
  status: 'paid',
  credited_points: 1000,
  receipt_url: 'https://pay.stripe.com/receipts/1',
  created_at: new Date().toISOString(),
  cursor: 'c1',
  is_unused: false,
  ...overrides,
});

function setUp(routes: Record<string, unknown> = {}, search = '') {
  setTokenSource(async () => 'jwt');
  const api = fakeApi({
    'GET app_settings': [settingsRow()],
    'rpc get_own_startup': [project],
    'GET subscriptions': [],
    'rpc get_quest_limits': [limits],
    'rpc list_own_payments': [],
    [endpoint]: { url: `${window.location.origin}${window.location.pathname}#payment` },
    ...routes,
  });
  const view = renderApp(null, {
    identity: signedIn('startup_verified'),
    path: `/startup/billing${search}`,
    routes: [{ path: '/startup/billing', element: <BillingPage /> }],
  });
  return { ...view, api };
}

afterEach(() => setTokenSource(null));

describe('buying points', () => {
  it('BEY-20 TRUST-20 orders the pack at the shown price, and returns here', async () => {
    const { user, api } = setUp();
    await screen.findByText('No payments yet');
    await user.click(await screen.findByRole('button', { name: 'Buy 5,000 points for $199' }));
    const [order] = api.calls.filter(({ path }) => path.endsWith('create-checkout-session'));
    expect(order?.body).toMatchObject({
      priceId: 'points_medium',
      planId: 'points_medium',
      startupId: 'startup-1',
      expectedCents: 19_900,
      successUrl: expect.stringMatching(/\/startup\/billing\?success=points&after=none$/),
      cancelUrl: expect.stringMatching(/\/startup\/billing\?cancelled=1$/),
    });
  });

  it('BEY-20 shows the packs of the settings, and none that is not for sale', async () => {
    setUp({ 'GET app_settings': [settingsRow({ pack_small_points: 0, pack_large_cents: 49_950 })] });
    expect(await screen.findByRole('button', { name: 'Buy 20,000 points for $499.50' })).toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: /^Buy/ })).toHaveLength(2);
  });

  it('BEY-20 says why an unverified project cannot buy', async () => {
    setUp({ 'rpc get_own_startup': [{ ...project, status: 'pending' }] });
    expect(await screen.findByText('Your project must be verified before it can buy points.')).toBeInTheDocument();
    for (const button of await screen.findAllByRole('button', { name: /^Buy/ })) expect(button).toBeDisabled();
    // Nor are there limits that it could raise.
    expect(await screen.findByText('The limits of the trial apply once your project is verified.')).toBeVisible();
    expect(screen.queryByText(/Buying points/)).not.toBeInTheDocument();
  });

  it('TRUST-18 says why a suspended owner cannot buy', async () => {
    setUp({ 'rpc get_own_startup': [{ ...project, suspended_at: '2026-02-01T00:00:00Z' }] });
    expect(await screen.findByText(/^Your account is suspended\./)).toBeInTheDocument();
    for (const button of await screen.findAllByRole('button', { name: /^Buy/ })) expect(button).toBeDisabled();
  });

  it('opens one payment page for a double press', async () => {
    const { api } = setUp();
    const button = await screen.findByRole('button', { name: /^Buy 1,000/ });
    // Not by userEvent, which lets React render between the presses.
    act(() => {
      button.click();
      button.click();
    });
    const orders = () => api.calls.filter(({ path }) => path.endsWith('create-checkout-session'));
    await waitFor(() => expect(orders()).toHaveLength(1));
    await waitFor(() => expect(window.location.hash).toBe('#payment'));
    expect(orders()).toHaveLength(1);
  });

  it('TRUST-20 SUBS-06 shows why the server refused, beside the pack that was pressed', async () => {
    const { user } = setUp({
      [endpoint]: Response.json({ ok: false, code: 'PRICE_CHANGED', message: 'It is now $59.' }, { status: 409 }),
    });
    await user.click(await screen.findByRole('button', { name: /^Buy 1,000/ }));
    const refusal = await screen.findByText('Failed to create checkout session: It is now $59');
    const pack = within(refusal.closest('li') as HTMLElement);
    expect(pack.getByRole('button', { name: /^Buy 1,000/ })).toBeInTheDocument();
  });
});

describe('returning from the checkout page', () => {
  it('C-20 BEY-20 waits until the payment has arrived', async () => {
    const { unmount } = setUp({}, '?success=points');
    expect(await screen.findByText('Your payment is being confirmed')).toBeInTheDocument();
    unmount();
    setUp({ 'rpc list_own_payments': [payment()] }, '?success=points');
    expect(await screen.findByText('1,000 points are in your wallet')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Create Quest' })).toHaveAttribute('href', '/startup/campaigns/new');
  });

  it('BEY-20 does not mistake an older payment for the expected one', async () => {
    setUp({ 'rpc list_own_payments': [payment({ created_at: '2026-01-01T00:00:00Z' })] }, '?success=points');
    await screen.findByRole('table', { name: 'Payments' });
    expect(screen.getByText('Your payment is being confirmed')).toBeInTheDocument();
  });

  it('C-103 does not take a payment that bought nothing for the expected points', async () => {
    setUp({ 'rpc list_own_payments': [payment({ status: 'refunded', is_unused: true })] }, '?success=points');
    await screen.findByRole('table', { name: 'Payments' });
    expect(screen.getByText('Your payment is being confirmed')).toBeInTheDocument();
  });

  it('BEY-20 does not mistake a payment of minutes ago for the one that comes after it', async () => {
    const first = payment();
    const { user, api, unmount } = setUp({ 'rpc list_own_payments': [first] });
    await screen.findByRole('table', { name: 'Payments' });
    await user.click(await screen.findByRole('button', { name: /^Buy 5,000/ }));
    const orders = api.calls.filter(({ path }) => path.endsWith('create-checkout-session'));
    const [returnTo = ''] = orders.map(({ body }) => (body as { successUrl: string }).successUrl);
    const { search } = new URL(returnTo);
    unmount();
    const back = setUp({ 'rpc list_own_payments': [first] }, search);
    expect(await screen.findByText('Your payment is being confirmed')).toBeInTheDocument();
    await screen.findByRole('table', { name: 'Payments' });
    expect(screen.getByText('Your payment is being confirmed')).toBeInTheDocument();
    back.api.routes['rpc list_own_payments'] = [payment({ id: 'payment-2', points: 5000 }), first];
    await act(() => back.queryClient.invalidateQueries());
    expect(await screen.findByText('5,000 points are in your wallet')).toBeInTheDocument();
  });

  it.each(['none', 'payment-0'])(
    'C-20 a payment that has arrived stays confirmed, however late the page is read (after %s)',
    async (after) => {
      const old = [payment({ created_at: '2026-01-02T00:00:00Z' }), payment({ id: 'payment-0', points: 20_000 })];
      const known = after === 'none' ? old.slice(0, 1) : old;
      setUp({ 'rpc list_own_payments': known }, `?success=points&after=${after}`);
      expect(await screen.findByText('1,000 points are in your wallet')).toBeInTheDocument();
    },
  );

  it('C-20 says nothing more about a payment that went back after it had arrived', async () => {
    setUp({ 'rpc list_own_payments': [payment({ status: 'refunded', credited_points: 0 })] }, '?success=points');
    await screen.findByRole('table', { name: 'Payments' });
    expect(screen.queryByText(/in your wallet$|being confirmed$/)).toBeNull();
  });

  it('BEY-20 a cancelled payment shows that nothing was charged, until it is dismissed', async () => {
    const { user } = setUp({}, '?cancelled=1');
    expect(await screen.findByText(/Nothing was charged/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Got it!' }));
    expect(screen.queryByText(/Nothing was charged/)).not.toBeInTheDocument();
  });

  it('BEY-20 a new attempt that fails is not shown beside the cancelled one', async () => {
    const { user } = setUp({ [endpoint]: offline() }, '?cancelled=1');
    await user.click(await screen.findByRole('button', { name: /^Buy 1,000/ }));
    expect(await screen.findByText('Failed to start the payment')).toBeInTheDocument();
    expect(screen.queryByText(/Nothing was charged/)).not.toBeInTheDocument();
  });
});

describe('plan and limits', () => {
  it('RULE-18 BEY-20 names every limit that applies, and what lifts it', async () => {
    setUp();
    expect(await screen.findByText('1 of 1 quest. Buying points lifts this limit.')).toBeInTheDocument();
    expect(screen.getByText('500 of 500 points (100%)')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See OG Lifetime' })).toHaveAttribute(
      'href',
      '/startup/subscribe?plan=og_lifetime',
    );
  });

  it.each([
    [{ quest_count: 2, budget_used: 400 }, true],
    [{ quest_count: 1, budget_used: 800 }, true],
    [{ quest_count: 1, budget_used: 500 }, false],
  ])('C-110 says what becomes of quests beyond the limits, as after the plan has ended: %j', async (used, isOver) => {
    setUp({ 'rpc get_quest_limits': [{ ...limits, ...used }] });
    expect(await screen.findByText(/Buying points lifts this limit\.$/)).toBeInTheDocument();
    expect(screen.queryAllByText('Published quests stay as they are. The limits apply to new ones.')).toHaveLength(
      Number(isOver),
    );
  });

  it('BEY-20 says that bought points have raised the limits of the trial', async () => {
    const { unmount } = setUp();
    expect(await screen.findByText('The trial limits apply. Buying points raises them at once.')).toBeVisible();
    unmount();
    setUp({ 'rpc get_quest_limits': [{ ...limits, quest_limit: null, budget_limit: 1500, bought_points: 1000 }] });
    expect(await screen.findByText('The points that you have bought raise the limits of the trial.')).toBeVisible();
  });

  it('C-69 C-22 says what the plan gives now and what after the beta', async () => {
    const plan = { startup_id: 'startup-1', plan_id: 'og_lifetime', status: 'active', current_period_end: null };
    const bounds = { ...limits, quest_limit: null, budget_limit: 1500, bought_points: 1000, has_plan: true };
    const { unmount } = setUp({ 'GET subscriptions': [plan], 'rpc get_quest_limits': [bounds] });
    expect(await screen.findByText(/During the beta its limits are those of the trial/)).toBeInTheDocument();
    expect(screen.getByText('1,000 of these points are bought.')).toBeInTheDocument();
    unmount();
    setUp({
      'GET app_settings': [settingsRow({ beta_mode: false })],
      'GET subscriptions': [{ ...plan, current_period_end: '2099-05-01T12:00:00Z' }],
      'rpc get_quest_limits': [{ ...bounds, budget_limit: null }],
    });
    expect(
      await screen.findByText('Runs until May 1, 2099. There is no limit on the number or budget of your quests.'),
    ).toBeInTheDocument();
    expect(screen.queryByText(/points \(/)).not.toBeInTheDocument();
  });
});

describe('payments', () => {
  it("C-110 are listed with amount, state and the provider's receipt", async () => {
    setUp({
      'rpc list_own_payments': [
        payment({ created_at: '2026-02-03T12:00:00Z' }),
        payment({ id: 'payment-2', product_id: 'og_lifetime', points: null, amount_cents: 9900, receipt_url: null }),
        payment({ id: 'payment-3', status: 'refunded', credited_points: 300 }),
        payment({ id: 'payment-4', status: 'refunded', credited_points: null, is_unused: true }),
        payment({ id: 'payment-5', status: 'pending', credited_points: null, is_unused: true }),
      ],
    });
    const table = within(await screen.findByRole('table', { name: 'Payments' }));
    const [, first, second, third, fourth, fifth] = table.getAllByRole('row');
    expect(first).toHaveTextContent('$49');
    expect(within(first as HTMLElement).getByRole('link', { name: 'Receipt of Feb 3, 2026' })).toHaveAttribute(
      'href',
      'https://pay.stripe.com/receipts/1',
    );
    expect(second).toHaveTextContent('OG Lifetime Access');
    expect(third).toHaveTextContent('Refunded300 of the points were spent');
    expect(fourth).toHaveTextContent('RefundedNothing was bought');
    expect(fifth).toHaveTextContent('PendingNot applied yet: we are checking it');
  });
});
