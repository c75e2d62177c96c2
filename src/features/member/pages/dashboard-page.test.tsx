import { screen, waitFor, within } from '@testing-library/react';
import { notificationRow } from '@/features/notifications/testing';
import { myQuest, questListItem } from '@/features/quests/testing/samples';
import { reward } from '@/features/rewards/testing';
import { type ApiCall, fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { profileRow, settingsRow, walletRow } from '@/lib/testing/rows';
import MemberDashboardPage from './dashboard-page';

const quest = (number: number) => questListItem({ id: `quest-${number}`, title: `Quest number ${number}` });

function setUp(routes: Record<string, unknown> = {}, identity = signedIn()) {
  const api = fakeApi({
    'rpc list_published_quests': [1, 2, 3, 4, 5, 6].map(quest),
    'rpc get_own_quest_states': [{ campaign_id: 'quest-2', state: 'complete' }],
    'rpc get_own_streak': [],
    'rpc get_user_referral_stats': [
      { referral_code: 'REF1', clicks: 5, successful_referrals: 0, total_points_earned: 0 },
    ],
    'GET app_settings': [settingsRow()],
    'rpc list_my_quests': [],
    'rpc list_suggested_quests': [questListItem({ id: 'next', title: 'Draw a leaf', reward_points: 40 })],
    'GET user_profiles': [],
    'GET wallets': [walletRow({ points: 120, lifetime_points: 1200, held_points: 0 })],
    'GET rewards': [],
    'rpc list_notifications': [],
    'rpc get_unread_notification_count': 0,
    ...routes,
  });
  return { ...renderApp(<MemberDashboardPage />, { identity, path: '/community' }), api };
}

describe('community dashboard', () => {
  it("DASH-04 shows 'Not Signed In' with Sign In when nobody is signed in", () => {
    setUp({}, signedOut);
    expect(screen.getByRole('heading', { name: 'Not Signed In' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toMatch(/^\/auth\/signin/);
  });

  it('greets by the name that the member has chosen here, else by that of the account', async () => {
    const { unmount } = setUp();
    expect(await screen.findByText('Good to see you, Robin.')).toBeInTheDocument();
    unmount();
    setUp({ 'GET user_profiles': [profileRow({ display_name: 'Ada Harbour' })] });
    expect(await screen.findByText('Good to see you, Ada.')).toBeInTheDocument();
  });

  it('DASH-01 C-115 links to quests, projects, rewards and referrals in a slim row', async () => {
    setUp();
    const tiles = within(await screen.findByRole('list', { name: 'Where to go' })).getAllByRole('link');
    expect(tiles.map((tile) => tile.getAttribute('href'))).toEqual([
      '/browse',
      '/browse?tab=projects',
      '/rewards',
      '/community/referrals',
    ]);
    await screen.findByText('Quest number 1');
  });

  it('BEY-18 says why the next quest is suggested', async () => {
    const suggestion = { ...questListItem({ title: 'Draw a leaf' }), reason: 'topic', reason_subject: 'design' };
    setUp({ 'rpc list_suggested_quests': [suggestion] });
    const step = await screen.findByRole('region', { name: 'Your next step' });
    expect(within(step).getByText('Because you like design quests.')).toBeInTheDocument();
  });

  it('DASH-02 has a Refer Friends button and the referral card', async () => {
    setUp();
    expect(screen.getByRole('link', { name: 'Refer Friends' })).toHaveAttribute('href', '/community/referrals');
    expect(await screen.findByLabelText('Your code')).toHaveValue('REF1');
  });

  it('DASH-03 loads 6 quests and shows the first 3, each linking to /community/quest/{id}', async () => {
    const { api } = setUp();
    await screen.findByText('Quest number 1');
    const section = within(screen.getByRole('region', { name: 'Recent Quests' }));
    expect(section.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Quest number 1',
      'Quest number 2',
      'Quest number 3',
    ]);
    expect(await section.findByText('Done')).toBeInTheDocument();
    expect(section.getByRole('link', { name: 'Quest number 2' })).toHaveAttribute('href', '/community/quest/quest-2');
    const asked = api.calls.find(({ path }: ApiCall) => path === 'rpc/list_published_quests');
    expect([asked?.params.get('p_limit'), asked?.params.get('p_sort')]).toEqual(['6', 'new']);
  });

  it('TRUST-14 says when the quests could not be loaded', async () => {
    setUp({ 'rpc list_published_quests': refuse(500, null, 'x') });
    expect(await screen.findByText('The quests could not be loaded')).toBeInTheDocument();
    expect(screen.queryByText('No quests on the board yet')).not.toBeInTheDocument();
  });

  it('invites members to the onboarding until they dismiss it or have sent a first proof', async () => {
    const newcomer = signedIn('community', { createdAt: Date.now() });
    const { unmount } = setUp({ 'rpc get_own_quest_states': [{ campaign_id: 'quest-2', state: 'waiting' }] }, newcomer);
    await screen.findByText('In Review');
    expect(screen.queryByRole('link', { name: 'Show me around' })).not.toBeInTheDocument();
    unmount();
    const { user } = setUp({ 'rpc get_own_quest_states': [] }, newcomer);
    expect(await screen.findByRole('link', { name: 'Show me around' })).toHaveAttribute('href', '/onboarding');
    await user.click(screen.getByRole('button', { name: 'No, thanks' }));
    expect(screen.queryByRole('link', { name: 'Show me around' })).not.toBeInTheDocument();
  });

  describe('the next step', () => {
    const step = async () => within(await screen.findByRole('region', { name: 'Your next step' }));

    it('BEY-21 is a rejected proof before anything else, with its reason', async () => {
      setUp({
        'rpc list_my_quests': [
          myQuest({ campaign_id: 'half', title: 'Half done', state: 'started', can_continue: true }),
          myQuest({ campaign_id: 'again', title: 'Write two pages', state: 'rejected', can_continue: true }),
        ],
      });
      const card = await step();
      expect(card.getByRole('heading', { name: 'Write two pages' })).toBeInTheDocument();
      expect(card.getByText(/Incomplete: Page two is missing/)).toBeInTheDocument();
      expect(card.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/community/quest/again');
    });

    it('BEY-21 is otherwise a started quest, with pending proofs below', async () => {
      const { api } = setUp({
        'rpc list_my_quests': [
          myQuest({ campaign_id: 'wait', title: 'In their hands' }),
          myQuest({ campaign_id: 'half', title: 'Half done', state: 'started', can_continue: true, task_count: 2 }),
        ],
      });
      const card = await step();
      expect(card.getByText('1 of 2 tasks done.')).toBeInTheDocument();
      expect(card.getByRole('link', { name: 'Continue Quest' })).toHaveAttribute('href', '/community/quest/half');
      const open = within(screen.getByRole('region', { name: 'In progress' }));
      expect(open.getByRole('link', { name: /In their hands.*In Review/ })).toHaveAttribute(
        'href',
        '/community/quest/wait',
      );
      expect(open.getByRole('link', { name: 'My quests' })).toHaveAttribute('href', '/community/quests');
      expect(api.calls.find(({ path }) => path === 'rpc/list_my_quests')?.body).toMatchObject({
        p_states: ['rejected', 'started', 'waiting'],
      });
    });

    it('C-72 is a suggested quest when nothing is started', async () => {
      setUp();
      const card = await step();
      expect(card.getByRole('heading', { name: 'Draw a leaf' })).toBeInTheDocument();
      expect(card.getByRole('link', { name: 'Join Quest' })).toHaveAttribute('href', '/community/quest/next');
    });

    it('C-72 claims nothing of a newcomer for whom nothing is open', async () => {
      setUp({ 'rpc list_suggested_quests': [], 'rpc get_own_quest_states': [], 'rpc list_published_quests': [] });
      const card = await step();
      expect(card.getByRole('heading', { name: 'No new quest is open to you right now' })).toBeInTheDocument();
      expect(screen.queryByText(/You have started/)).not.toBeInTheDocument();
    });

    it('TRUST-14 says when it could not be loaded', async () => {
      setUp({ 'rpc list_my_quests': refuse(500, null, 'x') });
      expect(await screen.findByText('Your next step could not be loaded')).toBeInTheDocument();
    });
  });

  describe('what is new', () => {
    const read = notificationRow({ id: 1, read_at: '2026-02-01T13:00:00Z', data: { task: 'Old', points: 10 } });
    const unread = [5, 4, 3, 2].map((id) => notificationRow({ id, data: { task: `Task ${id}`, points: 10 * id } }));

    it('BEY-03 shows the latest unread notifications after the next step, and marks all as read', async () => {
      const { user, api } = setUp({
        'rpc list_notifications': [...unread, read],
        'rpc get_unread_notification_count': 4,
        'rpc mark_all_notifications_read': undefined,
      });
      const news = within(await screen.findByRole('region', { name: 'New for you' }));
      expect((await news.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
        expect.stringContaining('Your proof for “Task 5” was accepted. You earned 50 points.'),
        expect.stringContaining('“Task 4”'),
        expect.stringContaining('“Task 3”'),
      ]);
      expect(news.getByRole('link', { name: 'See all notifications' })).toHaveAttribute('href', '/notifications');
      api.routes['rpc list_notifications'] = [...unread, read].map((row) => ({ ...row, read_at: read.read_at }));
      api.routes['rpc get_unread_notification_count'] = 0;
      await user.click(news.getByRole('button', { name: 'Mark all read' }));
      await waitFor(() => expect(screen.queryByRole('region', { name: 'New for you' })).not.toBeInTheDocument());
      expect(api.calls.find(({ path }) => path === 'rpc/mark_all_notifications_read')?.body).toEqual({ p_up_to: 5 });
    });

    it('shows nothing when all is read, or when it cannot be read: the bell says so', async () => {
      setUp({ 'rpc list_notifications': [read] });
      await screen.findByText('Quest number 1');
      expect(screen.queryByRole('region', { name: 'New for you' })).not.toBeInTheDocument();
    });
  });

  it('TRUST-14 says when the points could not be loaded', async () => {
    setUp({ 'GET wallets': refuse(500, null, 'x') });
    expect(await screen.findByText('Your points could not be loaded')).toBeInTheDocument();
  });

  it('REWARD-02 shows points with their level and the next affordable reward', async () => {
    setUp({ 'GET rewards': [reward({ title: 'Sticker sheet', points_cost: 150 })] });
    const standing = within(await screen.findByRole('region', { name: 'Where you stand' }));
    expect(standing.getByText('120')).toBeInTheDocument();
    expect(standing.getByText('800 points to level 3')).toBeInTheDocument();
    expect(await standing.findByText('30 more points to go')).toBeInTheDocument();
    expect(standing.getByRole('link', { name: 'Sticker sheet' })).toHaveAttribute('href', '/rewards');
  });

  it('C-80 names as the next reward, and as the points to go to it, what the rewards page does', async () => {
    setUp({
      'GET rewards': [reward({ title: 'Sticker sheet', points_cost: 150 })],
      'GET wallets': [walletRow({ points: 120, held_points: 100, lifetime_points: 1_200 })],
    });
    const standing = within(await screen.findByRole('region', { name: 'Where you stand' }));
    expect(await standing.findByText('Next reward')).toBeInTheDocument();
    expect(standing.getByText('30 more points to go')).toBeInTheDocument();
  });

  it('an affordable reward is in reach, not the next one', async () => {
    setUp({ 'GET rewards': [reward({ title: 'Sticker sheet', points_cost: 100 })] });
    const standing = within(await screen.findByRole('region', { name: 'Where you stand' }));
    expect(await standing.findByText('In reach')).toBeInTheDocument();
    expect(standing.getByText('You can redeem it now')).toBeInTheDocument();
  });
});
