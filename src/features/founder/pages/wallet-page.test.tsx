import { act, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { projectRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { transactionRow, walletRow } from '@/lib/testing/rows';
import FounderWalletPage from './wallet-page';

const project = projectRow({ id: 'startup-1', owner_user_id: 'user_test', name: 'Paperkite' });
const own = walletRow({
  id: 'wallet-s',
  kind: 'startup',
  user_id: null,
  startup_id: 'startup-1',
  points: 260,
  lifetime_points: 500,
  cash_cents: 1250,
});
const reserve = (campaign_id: string, points: number, owner_user_id = 'user_test') =>
  walletRow({ id: `reserve-${campaign_id}`, kind: 'reserve', user_id: null, campaign_id, points, owner_user_id });
/** With the owner's personal wallet and what belongs to others: none of that is the project's. */
const wallets = [
  walletRow({ points: 9999 }),
  walletRow({ id: 'wallet-o', kind: 'startup', user_id: null, startup_id: 'startup-2', owner_user_id: 'user_other' }),
  own,
  reserve('c1', 100),
  reserve('c2', 40),
  reserve('c3', 7, 'user_other'),
];
const joined = (wallet: (typeof wallets)[number], overrides: Parameters<typeof transactionRow>[0]) => ({
  ...transactionRow({ wallet_id: wallet.id, ...overrides }),
  wallets: wallet,
});
const payout = { type: 'debit', kind: 'task_completion', points: 75 } as const;
const now = new Date().toISOString();
const transactions = [
  joined(own, { id: 1, kind: 'trial_budget', points: 500, balance_after: 500, description: 'Trial budget' }),
  joined(own, { id: 2, type: 'debit', kind: 'reserve', points: 240, balance_after: 260, description: 'Reserved' }),
  joined(reserve('c1', 100), { id: 3, ...payout, created_at: now }),
  joined(reserve('c1', 100), { id: 4, ...payout, created_at: '2020-01-01T00:00:00Z' }),
  joined(reserve('c3', 7, 'user_other'), { id: 5, ...payout, points: 1000, created_at: now }),
  joined(walletRow(), { id: 6, kind: 'task_completion', points: 30, created_at: now }),
];

function setUp(routes: Record<string, unknown> = {}) {
  const api = fakeApi({
    'GET startup_profiles': [projectRow({ id: 'startup-2', owner_user_id: 'user_other' }), project],
    'GET wallets': wallets,
    'GET transactions': transactions,
    ...routes,
  });
  const view = renderApp(<FounderWalletPage />, { identity: signedIn('startup_verified'), path: '/startup/wallet' });
  return { ...view, api };
}

const figure = async (label: string) => (await screen.findByText(label)).nextElementSibling;

describe('SWAL-01 project wallet', () => {
  it('shows current balance, lifetime points and cash of the wallet that belongs to the startup id', async () => {
    setUp();
    expect(await figure('Current balance')).toHaveTextContent('260');
    expect(await figure('Lifetime points')).toHaveTextContent('500');
    expect(await figure('Cash')).toHaveTextContent('$12.5');
    await waitFor(async () => expect(await figure('Set aside')).toHaveTextContent('140'));
    expect(screen.getByRole('link', { name: 'Back to dashboard' })).toHaveAttribute('href', '/startup');
  });

  it('lists its last 50 transactions with the running balance', async () => {
    const { api } = setUp();
    const table = await screen.findByRole('table', { name: 'Transactions' });
    const [head, reserved, trial, ...others] = within(table).getAllByRole('row');
    expect(head).toHaveTextContent('Balance after');
    expect(
      within(reserved as HTMLElement)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['Reserved', expect.any(String), '-240 points', '260']);
    expect(trial).toHaveTextContent('+500');
    expect(others).toEqual([]);
    const asked = api.calls.find(({ path, params }) => path === 'transactions' && params.has('wallet_id'))?.params;
    expect(asked?.get('limit')).toBe('50');
  });

  it('draws the points that went out, and says it in words', async () => {
    setUp();
    expect(await screen.findByText(/^75 points went to members in the last 30 days, most on .+: 75\.$/)).toBeVisible();
  });

  it('reloads every 30 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { api } = setUp();
    await screen.findByRole('table', { name: 'Transactions' });
    const reads = () => api.calls.filter(({ params }) => params.get('startup_id') === 'eq.startup-1').length;
    const before = reads();
    await act(() => vi.advanceTimersByTimeAsync(34_000));
    expect(reads()).toBe(before + 1);
    vi.useRealTimers();
  });
});

describe('SWAL-02 failures', () => {
  it("show 'Error Loading Data / Failed to load wallet data' with 'Try Again', which recovers", async () => {
    const { user, api } = setUp({ 'GET wallets': refuse(500, null, 'x') });
    const alert = (await screen.findByText('Error Loading Data')).closest('[role=alert]');
    expect(alert).toHaveTextContent('Failed to load wallet data');
    api.routes['GET wallets'] = wallets;
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await figure('Current balance')).toHaveTextContent('260');
    expect(screen.queryByText('Error Loading Data')).not.toBeInTheDocument();
  });

  it("say 'No project profile found for this account.' without a profile", async () => {
    setUp({ 'GET startup_profiles': [] });
    expect(await screen.findByText('No project profile found for this account.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Create your project profile' })).toHaveAttribute(
      'href',
      '/startup/create',
    );
  });
});
