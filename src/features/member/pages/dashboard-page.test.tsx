import { screen, within } from '@testing-library/react';
import { type ApiCall, fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import MemberDashboardPage from './dashboard-page';

const quest = (number: number) => ({
  id: `quest-${number}`,
  startup_id: 'startup-1',
  startup_name: 'Paperkite',
  startup_logo_url: null,
  startup_verified: true,
  title: `Quest number ${number}`,
  summary: '',
  budget_points: 100,
  custom_reward_title: null,
  custom_reward_description: null,
  collect_emails: false,
  published_at: '2026-02-01T00:00:00Z',
  created_at: '2026-02-01T00:00:00Z',
  task_count: 1,
  average_reward: 25,
  cursor: '',
});

function setUp(routes: Record<string, unknown> = {}, identity = signedIn()) {
  const api = fakeApi({
    'rpc list_published_quests': [1, 2, 3, 4, 5, 6].map(quest),
    'rpc get_quest_completion_stats': [],
    'rpc get_user_referral_stats': [
      { referral_code: 'REF1', clicks: 5, successful_referrals: 0, total_points_earned: 0 },
    ],
    'GET app_settings': [settingsRow()],
    ...routes,
  });
  return { ...renderApp(<MemberDashboardPage />, { identity, path: '/community' }), api };
}

describe('community dashboard', () => {
  it("DASH-04 says 'Not Signed In' with Sign In when nobody is signed in", () => {
    setUp({}, signedOut);
    expect(screen.getByRole('heading', { name: 'Not Signed In' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toMatch(/^\/auth\/signin/);
  });

  it('DASH-01 has tiles to quests, projects, rewards and referrals', async () => {
    setUp();
    const tiles = within(screen.getByRole('list', { name: 'Where to go' })).getAllByRole('link');
    expect(tiles.map((tile) => tile.getAttribute('href'))).toEqual([
      '/browse',
      '/browse?tab=projects',
      '/rewards',
      '/community/referrals',
    ]);
    await screen.findByText('Quest number 1');
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
    expect(section.getByRole('link', { name: 'Quest number 2' })).toHaveAttribute('href', '/community/quest/quest-2');
    const asked = api.calls.find(({ path }: ApiCall) => path === 'rpc/list_published_quests');
    expect(asked?.params.get('p_limit')).toBe('6');
  });

  it('TRUST-14 says when the quests could not be loaded', async () => {
    setUp({ 'rpc list_published_quests': refuse(500, null, 'x') });
    expect(await screen.findByText('The quests could not be loaded')).toBeInTheDocument();
    expect(screen.queryByText('No quests on the board yet')).not.toBeInTheDocument();
  });

  it('invites new members to the onboarding until they wave it away', async () => {
    const { user } = setUp({}, signedIn('community', { createdAt: Date.now() }));
    expect(screen.getByRole('link', { name: 'Show me around' })).toHaveAttribute('href', '/onboarding');
    await user.click(screen.getByRole('button', { name: 'No, thanks' }));
    expect(screen.queryByRole('link', { name: 'Show me around' })).not.toBeInTheDocument();
  });
});
