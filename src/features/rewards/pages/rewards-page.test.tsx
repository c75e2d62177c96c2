import { act, screen, waitFor, within } from '@testing-library/react';
import { type ApiCall, fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { profileRow, settingsRow, transactionPages, transactionRow, walletRow } from '@/lib/testing/rows';
import { leaderboardEntry, redemption, reward } from '../testing';
import RewardsPage from './rewards-page';

const transactions = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    transactionRow({ id: count - index, description: `Task completion: number ${count - index}` }),
  );

function setUp(routes: Record<string, unknown> = {}, identity = signedIn(), path = '/rewards') {
  const api = fakeApi({
    'GET wallets': [
      walletRow({ id: 'wallet-2', user_id: 'user_other', points: 1 }),
      walletRow({ points: 1250, lifetime_points: 3400 }),
    ],
    'rpc list_transactions': transactionPages(transactions(7)),
    'GET app_settings': [settingsRow()],
    'GET rewards': [reward(), reward({ id: 'reward-2', title: 'Night train', points_cost: 2000, stock_quantity: 4 })],
    'GET redemptions': [],
    'GET user_profiles': [profileRow({ user_id: 'user_other', display_name: 'Sam' }), profileRow()],
    'rpc get_leaderboard': [leaderboardEntry()],
    ...routes,
  });
  const asked = (path: string): ApiCall[] => api.calls.filter((call) => call.path === path);
  return { ...renderApp(<RewardsPage />, { identity, path }), api, asked };
}

const section = async (name: string) => within(await screen.findByRole('region', { name }));

describe('/rewards signed out', () => {
  it("REWARD-01 is titled 'Available Rewards', leads to sign-up and quests, and offers nothing to redeem", async () => {
    const { asked } = setUp({}, signedOut);
    expect(screen.getByRole('heading', { level: 1, name: 'Available Rewards' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Join Community' })).toHaveAttribute('href', '/auth/signup');
    expect(screen.getByRole('link', { name: 'Browse Quests' })).toHaveAttribute('href', '/browse');
    expect(await screen.findByRole('heading', { name: 'Coffee voucher' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /redeem|details/i })).not.toBeInTheDocument();
    for (const path of ['wallets', 'rpc/list_transactions', 'redemptions', 'rpc/get_leaderboard'])
      expect(asked(path)).toEqual([]);
  });
});

describe('/rewards signed in', () => {
  it("REWARD-01 is titled 'My Rewards'", async () => {
    setUp();
    expect(screen.getByRole('heading', { level: 1, name: 'My Rewards' })).toBeInTheDocument();
    await section('Recent Activity');
  });

  it('REWARD-02 shows level by points on the badge, by lifetime points as Player Level, and the available points', async () => {
    setUp();
    const card = await section('Profile and level');
    expect(card.getByText('Level 2')).toBeInTheDocument();
    const ring = card.getByRole('progressbar', { name: 'Progress to the next level' });
    expect(ring).toHaveTextContent('4Player Level');
    expect(ring).toHaveAttribute('aria-valuetext', '600 points to level 5');
    expect((await section('Available points')).getByText('1,250')).toBeInTheDocument();
  });

  it('C-80 TRUST-16 held points are shown, count for the level and buy nothing', async () => {
    const { user } = setUp({
      'GET wallets': [walletRow({ points: 1250, held_points: 1000, lifetime_points: 3400 })],
      'GET rewards': [reward({ points_cost: 500 }), reward({ id: 'reward-2', title: 'Pin', points_cost: 250 })],
      'GET point_holds': [
        {
          id: 1,
          wallet_id: 'wallet-1',
          reason: 'referral',
          points: 1000,
          due_at: null,
          released_at: null,
          reversed_at: null,
          transfers: { kind: 'referral_bonus', description: 'Referral bonus' },
        },
      ],
    });
    const card = await section('Available points');
    expect(card.getByText('250')).toBeInTheDocument();
    expect(card.getByText(/1,250 points in all/)).toBeInTheDocument();
    expect(card.getByRole('link', { name: '1,000 of them held' })).toHaveAttribute('href', '#held-points');
    expect((await section('Profile and level')).getByText('Level 2')).toBeInTheDocument();
    expect(await screen.findByRole('list', { name: 'Held points' })).toHaveTextContent('Referral bonus');
    expect(screen.getByRole('button', { name: 'Redeem Pin' })).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'See details of Coffee voucher' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Redeem Reward' }));
    expect(dialog.getByText('Balance before').parentElement).toHaveTextContent('250 points');
    expect(dialog.getByText('Held, not redeemable yet').parentElement).toHaveTextContent('1,000 points');
    expect(
      dialog.getByText('You have 1,250 points, but 1,000 of them are held and cannot be redeemed yet.'),
    ).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Redeem' })).toBeDisabled();
  });

  it('shows the points history as a picture that is told in words', async () => {
    setUp({
      'rpc list_transactions': transactionPages([
        transactionRow({ id: 2, type: 'debit', points: 50, balance_after: 50, created_at: '2026-02-03T12:00:00Z' }),
        transactionRow({ id: 1, points: 100, balance_after: 100, created_at: '2026-02-01T12:00:00Z' }),
      ]),
    });
    expect(await screen.findByRole('img', { name: /from 0 to 50 points since Feb 1, 2026/ })).toBeInTheDocument();
  });

  it('REWARD-03 lists the latest 5 transactions', async () => {
    setUp();
    const list = await screen.findByRole('list', { name: 'Latest transactions' });
    const lines = within(list).getAllByRole('listitem');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toHaveTextContent('number 7');
    expect(lines[0]).toHaveTextContent('+50');
  });

  it("REWARD-03 says 'No transactions yet' without any", async () => {
    setUp({ 'rpc list_transactions': [] });
    expect(await screen.findByText('No transactions yet')).toBeInTheDocument();
  });

  it('leads to the full history, page by page', async () => {
    const { user } = setUp({
      'rpc list_transactions': transactionPages([...transactions(60), transactionRow({ id: 99, wallet_id: 'other' })]),
    });
    await user.click(await screen.findByRole('link', { name: 'Full history' }));
    const list = await screen.findByRole('list', { name: 'All transactions' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(50);
    await user.click(screen.getByRole('button', { name: 'Show older transactions' }));
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(60));
    expect(screen.queryByRole('button', { name: 'Show older transactions' })).not.toBeInTheDocument();
  });

  it("REWARD-04 shows the Beta Leaderboard of up to 50 with one's own line marked", async () => {
    const { asked } = setUp({
      'rpc get_leaderboard': [
        leaderboardEntry(),
        leaderboardEntry({ rank: 2, display_name: 'Sasha…ord', total_points: 3900, is_self: true }),
      ],
    });
    const board = await section('Beta Leaderboard');
    const [first, own] = await board.findAllByRole('listitem');
    expect(first).toHaveTextContent('Robin…eed');
    expect(first).toHaveTextContent('4,200');
    expect(own).toHaveTextContent('You');
    expect(own).toHaveAttribute('aria-current', 'true');
    expect(asked('rpc/get_leaderboard')[0]?.params.get('p_limit')).toBe('50');
  });

  it("REWARD-04 says 'No leaderboard data yet' when it is empty", async () => {
    setUp({ 'rpc get_leaderboard': [] });
    expect(await screen.findByText('No leaderboard data yet')).toBeInTheDocument();
  });

  it('REWARD-05 loads rewards and leaderboard only when their feature check passes', async () => {
    const { asked } = setUp({
      'GET app_settings': [settingsRow({ rewards_enabled: false, leaderboard_enabled: false })],
    });
    await section('Recent Activity');
    await waitFor(() => expect(asked('app_settings')).toHaveLength(1));
    expect(asked('rewards')).toEqual([]);
    expect(asked('rpc/get_leaderboard')).toEqual([]);
    expect(screen.queryByRole('heading', { name: 'Beta Leaderboard' })).not.toBeInTheDocument();
  });

  it("REWARD-10 a failed wallet shows 'Error Loading Data' with the reason, and recovers", async () => {
    const { user, api } = setUp({ 'GET wallets': refuse(500, null, 'relation does not exist') });
    const box = await screen.findByText('Error Loading Data');
    expect(box.parentElement).toHaveTextContent('Failed to load wallet data: Failed to fetch wallet');
    expect(screen.queryByText(/relation/)).not.toBeInTheDocument();
    api.routes['GET wallets'] = [walletRow()];
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await section('Available points');
    expect(screen.queryByText('Error Loading Data')).not.toBeInTheDocument();
  });

  it('REWARD-10 asks again about every 30 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { asked } = setUp();
    await section('Recent Activity');
    await waitFor(() => expect(asked('rewards')).toHaveLength(1));
    await act(() => vi.advanceTimersByTimeAsync(34_000));
    for (const path of ['wallets', 'rpc/list_transactions', 'rewards', 'rpc/get_leaderboard'])
      expect(asked(path).length, path).toBe(2);
    vi.useRealTimers();
  });

  it('shows what has been redeemed with its status and the note of the admin', async () => {
    setUp({
      'GET redemptions': [
        { ...redemption({ id: 'r2' }), user_id: 'user_test' },
        {
          ...redemption({ id: 'r1', reward_title: 'Night train', status: 'cancelled', note: 'Sold out, sorry.' }),
          user_id: 'user_test',
        },
        { ...redemption({ id: 'r3' }), user_id: 'user_other' },
      ],
    });
    const [pending, cancelled, ...others] = (await section('Your redemptions')).getAllByRole('listitem');
    expect(others).toEqual([]);
    expect(pending).toHaveTextContent('Pending');
    expect(cancelled).toHaveTextContent('Cancelled');
    expect(cancelled).toHaveTextContent('Sold out, sorry.');
  });

  it('TRUST-14 a list that fails says so and offers Retry', async () => {
    setUp({ 'GET rewards': refuse(500, null, 'x'), 'rpc list_transactions': refuse(500, null, 'x') });
    expect(await screen.findByText('The rewards could not be loaded')).toBeInTheDocument();
    expect(await screen.findByText('Your activity could not be loaded')).toBeInTheDocument();
    expect(screen.queryByText('No transactions yet')).not.toBeInTheDocument();
  });
});
