import { act, screen, waitFor, within } from '@testing-library/react';
import { type ApiCall, fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { profileRow, settingsRow, transactionPages, transactionRow, walletRow } from '@/lib/testing/rows';
import { leaderboardEntry, ownTransaction, redemption, reward } from '../testing';
import RewardsPage from './rewards-page';

const transactions = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    transactionRow({ id: count - index, description: `Task completion: number ${count - index}` }),
  );

const ownRow = (id: number, overrides: Parameters<typeof ownTransaction>[0] = {}) =>
  ownTransaction({
    id,
    description: `Task completion: number ${id}`,
    change: 10,
    balance_after: id * 10,
    cursor: String(id),
    ...overrides,
  });
/** This many lines of one's own history, paged as the server does. */
const ownPages =
  (count: number) =>
  ({ params }: ApiCall) => {
    const before = Number(params.get('p_cursor') ?? count + 1);
    const limit = Number(params.get('p_limit'));
    const rows = Array.from({ length: count }, (_, index) => ownRow(count - index));
    return rows.filter(({ id }) => id < before).slice(0, limit);
  };

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
    'rpc get_own_rank': [],
    'rpc get_own_streak': [],
    'rpc list_own_transactions': ownPages(7),
    'GET badges': [],
    'GET member_profiles': [],
    ...routes,
  });
  const asked = (path: string): ApiCall[] => api.calls.filter((call) => call.path === path);
  return { ...renderApp(<RewardsPage />, { identity, path }), api, asked };
}

const ownRedemption = (changes: Parameters<typeof redemption>[0]) => ({ ...redemption(changes), user_id: 'user_test' });

const section = async (name: string) => within(await screen.findByRole('region', { name }));

describe('/rewards signed out', () => {
  it("REWARD-01 is titled 'Available Rewards', links to sign-up and quests, and offers nothing to redeem", async () => {
    const rewards = Array.from({ length: 7 }, (_, index) => reward({ id: `${index}`, title: `Mug ${index}` }));
    const { asked } = setUp({ 'GET rewards': rewards }, signedOut);
    expect(screen.getByRole('heading', { level: 1, name: 'Available Rewards' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Join Community' })).toHaveAttribute('href', '/auth/signup');
    expect(screen.getByRole('link', { name: 'Browse Quests' })).toHaveAttribute('href', '/browse');
    expect(await screen.findAllByRole('heading', { name: /^Mug/ })).toHaveLength(6);
    expect(screen.queryByRole('button', { name: /redeem|details/i })).not.toBeInTheDocument();
    for (const path of ['wallets', 'rpc/list_transactions', 'redemptions', 'rpc/get_leaderboard'])
      expect(asked(path)).toEqual([]);
  });

  it('leads a member who followed the link of a mail through sign-in to their redemptions', () => {
    setUp({}, signedOut, '/rewards#redemptions');
    expect(screen.getByRole('link', { name: 'See your points and redemptions' })).toHaveAttribute(
      'href',
      '/auth/signin?redirect=%2Frewards%23redemptions',
    );
  });

  it('C-45 shows the whole description of a reward, whose dialog visitors cannot open', async () => {
    const description = 'Needles, patches and a good screwdriver. '.repeat(8).trim();
    setUp({ 'GET rewards': [reward({ description })] }, signedOut);
    expect((await screen.findByText(description)).className).not.toContain('line-clamp');
  });
});

describe('/rewards signed in', () => {
  it("REWARD-01 is titled 'My Rewards'", async () => {
    setUp();
    expect(screen.getByRole('heading', { level: 1, name: 'My Rewards' })).toBeInTheDocument();
    await section('Recent Activity');
  });

  it('REWARD-02 shows the level by points on the badge, by lifetime points as Player Level, and the available points', async () => {
    setUp();
    const card = await section('Profile and level');
    expect(await card.findByRole('heading', { name: 'Robin Reed' })).toBeInTheDocument();
    expect(card.getByText('Level 2')).toBeInTheDocument();
    const ring = card.getByRole('progressbar', { name: 'Progress to the next level' });
    expect(ring).toHaveTextContent('4Player Level');
    expect(ring).toHaveAttribute('aria-valuetext', '600 points to level 5');
    expect((await section('Available points')).getByText('1,250')).toBeInTheDocument();
  });

  it('C-80 TRUST-16 held points are shown, count for the level and cannot be spent', async () => {
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

  it('shows the points history as a chart with a text alternative', async () => {
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
    expect(lines.map((line) => /number (\d)/.exec(line.textContent)?.[1])).toEqual(['7', '6', '5', '4', '3']);
    expect(lines[0]).toHaveTextContent('+50');
  });

  it("REWARD-03 says 'No transactions yet' without any", async () => {
    setUp({ 'rpc list_transactions': [] });
    expect(await screen.findByText('No transactions yet')).toBeInTheDocument();
  });

  it('links to the full history, which is paged', async () => {
    const { user } = setUp({ 'rpc list_own_transactions': ownPages(60) });
    await user.click(await screen.findByRole('link', { name: 'Full history' }));
    const list = await screen.findByRole('list', { name: 'All transactions' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(50);
    await user.click(screen.getByRole('button', { name: 'Show older transactions' }));
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(60));
    expect(screen.queryByRole('button', { name: 'Show older transactions' })).not.toBeInTheDocument();
  });

  it('BEY-06 a line links to its quest, and shows proof, decision and the balance after it', async () => {
    const { user } = setUp(
      {
        'rpc list_own_transactions': [
          ownRow(2, {
            change: 50,
            balance_after: 1250,
            campaign_id: 'quest-1',
            campaign_title: 'Try the kite',
            startup_name: 'Paper Kite',
            task_title: 'Fly it',
            submission_id: 'submission-1',
            submission_status: 'approved',
            proof_text: 'It flew over the lake',
            reviewed_by: 'project',
            reviewed_at: '2026-02-03T12:00:00Z',
          }),
          ownRow(1, { kind: 'welcome_bonus', description: 'Welcome bonus', referral_id: 'r1', held_points: 250 }),
        ],
      },
      signedIn(),
      '/rewards?view=history',
    );
    const list = within(await screen.findByRole('list', { name: 'All transactions' }));
    const [first, second] = list.getAllByRole('listitem');
    expect(list.getByRole('link', { name: 'Try the kite' })).toHaveAttribute('href', '/community/quest/quest-1');
    expect(first).toHaveTextContent('Balance 1,250');
    await user.click(list.getByText('Proof and decision'));
    expect(await list.findByText('It flew over the lake')).toBeVisible();
    expect(first).toHaveTextContent(/Approved by the project/);
    expect(second).toHaveTextContent('250 held');
  });

  it('BEY-06 kinds are filtered on the server, and an empty filter can be reset', async () => {
    const { user, asked } = setUp(
      { 'rpc list_own_transactions': ({ params }: ApiCall) => (params.has('p_view') ? [] : [ownRow(1)]) },
      signedIn(),
      '/rewards?view=history',
    );
    await screen.findByRole('list', { name: 'All transactions' });
    await user.click(screen.getByRole('tab', { name: 'Rewards' }));
    expect(await screen.findByText('Nothing of this kind yet')).toBeInTheDocument();
    expect(asked('rpc/list_own_transactions').at(-1)?.params.get('p_view')).toBe('rewards');
    await user.click(screen.getByRole('button', { name: 'Reset Filters' }));
    expect(await screen.findByRole('list', { name: 'All transactions' })).toBeInTheDocument();
    expect(screen.getByRole('tabpanel', { name: 'All' })).toHaveFocus();
  });

  it('sold-out rewards are dimmed and last; the next reward is on top with the missing points', async () => {
    setUp({
      'GET rewards': [
        reward({ id: 'gone', title: 'Gone mug', points_cost: 10, stock_quantity: 0 }),
        reward({ id: 'dear', title: 'Night train', points_cost: 2000 }),
        reward({ id: 'cheap', title: 'Sticker', points_cost: 100 }),
      ],
    });
    const list = await section('Redeem your points');
    const cards = (await list.findAllByRole('heading', { level: 3 })).map(({ textContent }) => textContent);
    expect(cards).toEqual(['Next reward: Night train', 'Sticker', 'Night train', 'Gone mug']);
    const picture = (title: string) =>
      list.getByRole('heading', { name: title }).closest('li')?.querySelector('[data-drawing]');
    expect(picture('Gone mug')).toHaveClass('grayscale', 'opacity-50');
    expect(picture('Sticker')).not.toHaveClass('grayscale');
    expect(picture('Sticker')?.getAttribute('data-drawing')).not.toBe(
      picture('Night train')?.getAttribute('data-drawing'),
    );
    expect((await section('Next reward: Night train')).getByText('750 more points to go')).toBeInTheDocument();
  });

  it('TRUST-20 after a price change the dialog shows the new price and redeems at it', async () => {
    const { api, user, asked } = setUp({
      'GET rewards': [reward({ points_cost: 500 })],
      'rpc redeem_reward_safe': refuse(
        409,
        'PRICE_CHANGED',
        'This has changed since you looked: it is now 700 points.',
      ),
    });
    await user.click(await screen.findByRole('button', { name: 'Redeem Coffee voucher' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Redeem Reward' }));
    const line = (label: string) => dialog.getByText(label).parentElement;
    expect(line('Balance after')).toHaveTextContent('750 points');
    api.routes['GET rewards'] = [reward({ points_cost: 700 })];
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('it is now 700 points.');
    expect(line('Cost')).toHaveTextContent('700 points');
    expect(line('Balance after')).toHaveTextContent('550 points');

    api.routes['rpc redeem_reward_safe'] = redemption();
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    const costs = asked('rpc/redeem_reward_safe').map(
      ({ body }) => (body as { p_expected_cost: number }).p_expected_cost,
    );
    expect(costs).toEqual([500, 700]);
  });

  it('C-93 a code is shown again later on request', async () => {
    const row = ownRedemption({ delivery: 'code', status: 'fulfilled' });
    const { user, asked } = setUp({ 'GET redemptions': [row], 'rpc get_redemption_code': 'COFFEE-4711' });
    const list = await section('Your redemptions');
    expect(asked('rpc/get_redemption_code')).toEqual([]);
    await user.click(list.getByRole('button', { name: 'Show code' }));
    const code = await list.findByText('COFFEE-4711');
    // The button has gone, and the focus would have gone with it.
    expect(document.activeElement).not.toBe(document.body);
    expect(document.activeElement).toContainElement(code);
  });

  it('BEY-08 shows streak, badges and a link to the public profile', async () => {
    const streak = { weeks: 3, best_weeks: 5, has_freeze: true, is_active_this_week: false, is_freeze_in_use: false };
    const { user, asked } = setUp({
      'rpc get_own_streak': [streak],
      'GET badges': [{ user_id: 'user_test', badge: 'ten_tasks', week: '2026-02-02' }],
      'rpc set_public_profile': refuse(
        409,
        'HANDLE_TAKEN',
        'Somebody else has this handle. Please choose another one.',
      ),
    });
    const card = await section('3 weeks in a row');
    expect(card.getByText(/^Complete a task by .* If you cannot, your freeze covers one week\.$/)).toBeInTheDocument();
    expect(card.getByText('Your longest: 5 weeks.')).toBeInTheDocument();
    expect((await section('Badges')).getByText('10 tasks')).toBeInTheDocument();
    const profile = await section('Public profile');
    await user.type(await profile.findByLabelText('Handle'), 'a b');
    await user.click(profile.getByRole('button', { name: 'Make it public' }));
    expect(await profile.findByText('Please use 3 to 30 letters, digits and single hyphens')).toBeInTheDocument();
    await user.clear(profile.getByLabelText('Handle'));
    await user.type(profile.getByLabelText('Handle'), 'Kite');
    await user.click(profile.getByRole('button', { name: 'Make it public' }));
    expect(await profile.findByText(/Somebody else has this handle/)).toBeInTheDocument();
    expect(asked('rpc/set_public_profile').map(({ body }) => body)).toEqual([{ p_handle: 'kite', p_is_public: true }]);
  });

  it.each([
    ['rewards', { rewards_enabled: false }, 'rpc/get_leaderboard', 'Redeem your points'],
    ['rpc/get_leaderboard', { leaderboard_enabled: false }, 'rewards', 'Beta Leaderboard'],
  ])('REWARD-05 requests %s only when its feature check passes', async (off, settings, on, heading) => {
    const { asked, queryClient } = setUp({ 'GET app_settings': [settingsRow(settings)] });
    await waitFor(() => expect([asked(on).length, queryClient.isFetching()]).toEqual([1, 0]));
    expect(asked(off)).toEqual([]);
    expect(screen.queryByRole('heading', { name: heading })).not.toBeInTheDocument();
  });

  it('REWARD-05 an open page notices that an admin has switched rewards off by itself', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { api, asked } = setUp();
    await act(() => vi.advanceTimersByTimeAsync(500));
    await section('Redeem your points');
    api.routes['GET app_settings'] = [settingsRow({ rewards_enabled: false })];
    await act(() => vi.advanceTimersByTimeAsync(67_000));
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Redeem your points' })).not.toBeInTheDocument());
    expect(asked('app_settings')).toHaveLength(2);
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

  it('REWARD-10 refetches about every 30 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { asked } = setUp();
    await act(() => vi.advanceTimersByTimeAsync(500));
    await section('Recent Activity');
    expect(asked('rewards')).toHaveLength(1);
    const polled = ['wallets', 'rpc/list_transactions', 'rewards', 'rpc/get_leaderboard'];
    await act(() => vi.advanceTimersByTimeAsync(25_000));
    for (const path of polled) expect(asked(path).length, path).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    for (const path of polled) expect(asked(path).length, path).toBe(2);
  });

  it('the redemptions are one press away from the balance', async () => {
    const { api, queryClient } = setUp();
    const card = await section('Available points');
    expect(card.queryByRole('link', { name: 'Your redemptions' })).not.toBeInTheDocument();
    api.routes['GET redemptions'] = [ownRedemption({})];
    await act(() => queryClient.invalidateQueries());
    expect(await card.findByRole('link', { name: 'Your redemptions' })).toHaveAttribute('href', '#redemptions');
  });

  it("shows redemptions with their status and the admin's note", async () => {
    setUp({
      'GET redemptions': [
        ownRedemption({ id: 'r2' }),
        ownRedemption({ id: 'r1', reward_title: 'Night train', status: 'cancelled', note: 'Sold out, sorry.' }),
        { ...redemption({ id: 'r3' }), user_id: 'user_other' },
      ],
    });
    const [pending, cancelled, ...others] = (await section('Your redemptions')).getAllByRole('listitem');
    expect(others).toEqual([]);
    expect(pending).toHaveTextContent('Pending');
    expect(cancelled).toHaveTextContent('Cancelled');
    expect(cancelled).toHaveTextContent('The points are back in your wallet.Sold out, sorry.');
  });

  it('TRUST-14 a failed list says so and offers Retry', async () => {
    setUp({ 'GET rewards': refuse(500, null, 'x'), 'rpc list_transactions': refuse(500, null, 'x') });
    expect(await screen.findByText('The rewards could not be loaded')).toBeInTheDocument();
    expect(await screen.findByText('Your activity could not be loaded')).toBeInTheDocument();
    expect(screen.queryByText('No transactions yet')).not.toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(2);
  });
});
