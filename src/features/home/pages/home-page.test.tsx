import { act, screen, waitFor, within } from '@testing-library/react';
import { questListItem } from '@/features/quests/testing/samples';
import { setAnalytics } from '@/lib/analytics';
import type { Identity } from '@/lib/auth/session';
import { asFounder } from '@/lib/role';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import HomePage from './home-page';

const stats = { total_members: 1204, active_campaigns: 31, verified_startups: 12, total_rewards_paid: 98_000 };

const quest = (id: string, open = 4) =>
  questListItem({ id, title: `Quest ${id}`, total_slots: 10, open_slots: open, reward_points: 50 });

type Situation = { identity?: Identity; path?: string; routes?: Record<string, unknown> };

function setUp({ identity = signedOut, path = '/', routes = {} }: Situation = {}) {
  const api = fakeApi({
    'rpc get_site_stats': [stats],
    'GET app_settings': [settingsRow()],
    'rpc list_published_quests': [quest('q1'), quest('q2', 9)],
    'rpc get_own_quest_states': [],
    'rpc track_referral_click': true,
    'rpc get_referral_greeting': { inviter_name: null, referred_points: 250 },
    ...routes,
  });
  const calls = (name: string) => api.calls.filter((call) => call.path === `rpc/${name}`);
  const page = (
    <>
      <HomePage />
      <footer id="footer">
        <input type="email" aria-label="Email" />
      </footer>
    </>
  );
  return { api, calls, ...renderApp(page, { identity, path }) };
}

const section = (name: string) => within(screen.getByRole('region', { name }));
const figure = (label: string) => screen.getByText(label).closest('div');
const href = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href');

afterEach(() => {
  setAnalytics(null);
});

describe('hero', () => {
  it('HOME-01 shows the live member count, refetched every 30 s', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { api, calls } = setUp();
    expect(await screen.findByText('1,204')).toBeInTheDocument();
    api.routes['rpc get_site_stats'] = [{ ...stats, total_members: 1205 }];
    // 30 s, plus or minus the jitter of lib/query-client.
    await act(() => vi.advanceTimersByTimeAsync(26_000));
    expect(calls('get_site_stats')).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(8_000));
    expect(await screen.findByText('1,205')).toBeInTheDocument();
  });

  it('HOME-09 C-26 C-83 a floor replaces zero only: home shows as many quests as the hub lists', async () => {
    setUp({
      routes: { 'rpc get_site_stats': [{ ...stats, total_members: 0, active_campaigns: 1, total_rewards_paid: 0 }] },
    });
    await waitFor(() => expect(figure('members')).toHaveTextContent('47'));
    expect(figure('live quests')).toHaveTextContent(/1$/);
    expect(figure('points earned')).toHaveTextContent('12,700');
  });

  it('C-112 C-26 a floor comes from the settings, and is not labelled live', async () => {
    setUp({
      routes: {
        'rpc get_site_stats': [{ ...stats, active_campaigns: 0 }],
        'GET app_settings': [settingsRow({ quest_floor: 5 })],
      },
    });
    await waitFor(() => expect(figure('quests')).toHaveTextContent(/5$/));
    expect(screen.queryByText('live quests')).not.toBeInTheDocument();
  });

  it.each([
    [signedOut, '/auth/signup'],
    [signedIn('community'), '/auth/signup'],
    [signedIn('startup_unverified'), '/startup'],
    [signedIn('startup_verified'), '/startup'],
  ])(
    'HOME-02 Start Your Project leads startups to their dashboard and everyone else to sign-up',
    (identity, target) => {
      setUp({ identity });
      expect(href('Start Your Project')).toBe(target);
    },
  );

  it.each(['Start Your Project', 'Start free'])('HOME-02 HOME-06 %s asks for the startup role', async (name) => {
    const { user, router } = setUp();
    await user.click(screen.getByRole('link', { name }));
    expect(router.state.location).toMatchObject({ pathname: '/auth/signup', state: asFounder });
  });

  it.each([
    [1500, '2 free quests with 1,500 points'],
    [0, '2 free quests'],
  ])('HOME-06 Beta Free follows the settings: %i points', async (trial_budget_points, words) => {
    setUp({ routes: { 'GET app_settings': [settingsRow({ trial_quest_limit: 2, trial_budget_points })] } });
    expect(await section('Pricing').findByText(words)).toBeInTheDocument();
  });

  it.each([
    [signedOut, '/auth/signup?redirect=/community/referrals'],
    [signedIn(), '/community/referrals'],
  ])('HOME-03 Join Community links to the referrals, for visitors through sign-up', (identity, target) => {
    setUp({ identity });
    for (const link of screen.getAllByRole('link', { name: 'Join Community' }))
      expect(link).toHaveAttribute('href', target);
  });
});

describe('live quests', () => {
  it('HOME-04 requests 3 open quests; visitors view details on the public side', async () => {
    const { calls } = setUp();
    const board = section('Live Quests');
    const [button] = await board.findAllByText('View Details');
    expect(button?.closest('a')).toHaveAttribute('href', '/browse/quest/q1');
    expect(board.getByText('4 of 10 spots left')).toBeInTheDocument();
    const [call] = calls('list_published_quests');
    expect([call?.params.get('p_limit'), call?.params.get('p_view')]).toEqual(['3', 'open']);
    expect(board.getByRole('link', { name: 'Explore All Quests' })).toHaveAttribute('href', '/browse');
  });

  it('HOME-04 members join quests on the community side', async () => {
    setUp({ identity: signedIn() });
    const [button] = await section('Live Quests').findAllByText('Join Quest');
    expect(button?.closest('a')).toHaveAttribute('href', '/community/quest/q1');
  });

  it('C-107 requests quests and their slots once', async () => {
    const { api } = setUp();
    await section('Live Quests').findByText('9 of 10 spots left');
    expect(api.calls.map(({ path }) => path).filter((path) => path.includes('quest'))).toEqual([
      'rpc/list_published_quests',
    ]);
  });

  it('C-107 TRUST-14 says when the list fails', async () => {
    setUp({ routes: { 'rpc list_published_quests': offline() } });
    expect(await screen.findByText('The quests could not be loaded')).toBeInTheDocument();
    expect(screen.queryByText('No open quests right now')).not.toBeInTheDocument();
  });

  it('says when all slots are taken', async () => {
    setUp({ routes: { 'rpc list_published_quests': [] } });
    expect(await screen.findByRole('heading', { name: 'No open quests right now' })).toBeInTheDocument();
  });
});

it('HOME-10 TRUST-14 ERR-03 when every request fails the page still renders: no quests, the floors, and a working Retry', async () => {
  const { api, user } = setUp({
    routes: { 'rpc get_site_stats': offline(), 'rpc list_published_quests': offline(), 'GET app_settings': offline() },
  });
  expect(await screen.findByText('The quests could not be loaded')).toBeInTheDocument();
  await waitFor(() => expect(figure('members')).toHaveTextContent('47'));
  expect(figure('quests')).toHaveTextContent(/3$/);
  expect(figure('points earned')).toHaveTextContent('12,700');
  expect(screen.getByRole('heading', { name: 'Pricing' })).toBeInTheDocument();
  expect(screen.getByText('$99')).toBeInTheDocument();
  api.routes['rpc list_published_quests'] = [quest('q1')];
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Quest q1' })).toBeInTheDocument();
});

describe('sections', () => {
  it('HOME-05 explains 4 steps, 6 features, 3 plans and the referral program, and mentions redeeming for rewards or cash', () => {
    setUp();
    expect(section('How It Works').getAllByRole('listitem')).toHaveLength(4);
    expect(section('Powerful Features').getAllByRole('listitem')).toHaveLength(6);
    expect(
      section('Pricing')
        .getAllByRole('heading', { level: 3 })
        .map((plan) => plan.textContent),
    ).toEqual(['Beta Free', 'OG Lifetime', 'Enterprise']);
    expect(section('Referral Program').getByText('500')).toBeInTheDocument();
    expect(section('Referral Program').getByText('250')).toBeInTheDocument();
    expect(screen.getByText(/Redeem them for rewards today; after launch also for cash/)).toBeInTheDocument();
  });

  it('C-111 HOME-05 says what points buy today, and nothing while rewards are switched off', async () => {
    const { unmount } = setUp();
    expect(await screen.findByText(/Redeem them for rewards today; after launch also for cash/)).toBeInTheDocument();
    unmount();
    setUp({ routes: { 'GET app_settings': [settingsRow({ rewards_enabled: false })] } });
    expect(await screen.findByText(/After launch they become rewards or cash/)).toBeInTheDocument();
    expect(screen.queryByText(/today/i)).not.toBeInTheDocument();
  });

  it('HOME-05 promises nobody the points of a referral bonus that is switched off, and no quests of a trial without', async () => {
    const { unmount } = setUp({ routes: { 'GET app_settings': [settingsRow({ referrer_points: 0 })] } });
    expect(await screen.findByText(/they earn points/)).toBeInTheDocument();
    expect(section('Referral Program').queryByText('You earn')).not.toBeInTheDocument();
    unmount();
    const none = { referrer_points: 0, referred_points: 0, trial_quest_limit: 0 };
    setUp({ routes: { 'GET app_settings': [settingsRow(none)] } });
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Referral Program' })).not.toBeInTheDocument());
    expect(screen.queryByText(/0 free quests/)).not.toBeInTheDocument();
  });

  it('C-69 describes the beta only while it lasts', async () => {
    const { unmount } = setUp({ routes: { 'GET app_settings': [settingsRow({ beta_mode: true })] } });
    expect(await screen.findByText('During the beta proofs are approved at once.')).toBeInTheDocument();
    expect(screen.getByText('Your project verified at once')).toBeInTheDocument();
    unmount();
    setUp({ routes: { 'GET app_settings': [settingsRow({ beta_mode: false })] } });
    expect(await screen.findByText('Your project verified by us')).toBeInTheDocument();
    expect(screen.queryByText(/During the beta|at once/)).not.toBeInTheDocument();
  });

  it('HOME-06 Beta Free is 1 free quest with 500 points and links to sign-up', () => {
    setUp();
    expect(section('Pricing').getByText('1 free quest with 500 points')).toBeInTheDocument();
    expect(href('Start free')).toBe('/auth/signup');
  });

  it.each([
    [signedOut, '/auth/signup?redirect=/startup/subscribe?plan=og_lifetime&role=startup_unverified'],
    [signedIn(), '/startup/subscribe?plan=og_lifetime'],
  ])(
    'HOME-07 C-28 OG Lifetime is $99 once instead of $297 and links to the plan, for visitors through sign-up',
    (identity, target) => {
      setUp({ identity });
      const plans = section('Pricing');
      for (const text of ['$99', 'once', '$297', '67% off', 'Limited to 100 slots', '30-day money-back guarantee']) {
        expect(plans.getByText(text)).toBeInTheDocument();
      }
      expect(href('Get OG Lifetime')).toBe(target);
    },
  );

  it('HOME-08 Enterprise is coming soon and its button scrolls to the footer', async () => {
    const scrolled: Element[] = [];
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      scrolled.push(this);
    });
    const { user } = setUp();
    expect(section('Pricing').getByText('Coming soon')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Join the waitlist' }));
    expect(scrolled).toEqual([document.getElementById('footer')]);
    expect(screen.getByRole('textbox', { name: 'Email' })).toHaveFocus();
  });
});

describe('events', () => {
  it('REF-04 a ref parameter counts a click and keeps the code', async () => {
    const { calls } = setUp({ path: '/?ref=REF12345678' });
    await waitFor(() =>
      expect(calls('track_referral_click').map(({ body }) => body)).toEqual([{ p_code: 'REF12345678' }]),
    );
    expect(localStorage.getItem('questboard.pending-referral')).toBe('REF12345678');
  });

  it('ANA-02 calls to action and plans report their clicks', async () => {
    const track = vi.fn();
    setAnalytics(({ name, data }) => track(name, data));
    const { user } = setUp();
    vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue(undefined);
    await user.click(screen.getByRole('button', { name: 'Join the waitlist' }));
    for (const name of ['Start free', 'Get OG Lifetime', 'Start Your Project', 'Explore All Quests'])
      await user.click(screen.getByRole('link', { name }));
    for (const join of screen.getAllByRole('link', { name: 'Join Community' })) await user.click(join);
    expect(track.mock.calls).toEqual([
      ['plan_click', { label: 'enterprise', place: 'pricing' }],
      ['plan_click', { label: 'beta_free', place: 'pricing' }],
      ['plan_click', { label: 'og_lifetime', place: 'pricing' }],
      ['cta_click', { label: 'Start Your Project', place: 'hero' }],
      ['cta_click', { label: 'Explore All Quests', place: 'live-quests' }],
      ['cta_click', { label: 'Join Community', place: 'hero' }],
      ['cta_click', { label: 'Join Community', place: 'referral' }],
    ]);
  });
});
