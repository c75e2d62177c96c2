import { act, screen, waitFor, within } from '@testing-library/react';
import { ownQuest, questListItem } from '@/features/quests/testing/samples';
import type { Role } from '@/lib/role';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { projectRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, requestsSent, signedIn } from '@/lib/testing/render';
import { profileRow, settingsRow, walletRow } from '@/lib/testing/rows';
import OnboardingPage from './onboarding-page';

const flag = 'questboard.onboarding-completed.user_test';

const task = (id: string, overrides: Parameters<typeof taskRow>[0] = {}) =>
  taskRow({
    id,
    campaign_id: 'q1',
    title: `Task ${id}`,
    reward_points: 20,
    max_completions: 5,
    requires_proof: false,
    verification: 'automatic',
    ...overrides,
  });

const submission = (status: string) => ({
  id: 's1',
  campaign_id: 'q1',
  task_id: 't1',
  user_id: 'user_test',
  status,
  reward_points: 20,
});

type SetUp = { role?: Role; path?: string; routes?: Record<string, unknown> };

function setUp({ role = 'community', path = '/onboarding', routes: answers = {} }: SetUp = {}) {
  const api = fakeApi({
    'rpc list_published_quests': [questListItem({ id: 'q1', startup_name: 'Paperkite' })],
    'rpc get_own_quest_states': [],
    'GET tasks': [task('t1')],
    'GET submissions': [],
    'GET wallets': [walletRow({ points: 20, held_points: 5 })],
    'GET user_profiles': [profileRow({ display_name: null })],
    'rpc get_own_startup': [],
    'GET app_settings': [settingsRow()],
    ...answers,
  });
  const routes = [
    { path: '/onboarding', element: <OnboardingPage /> },
    { path: '*', element: <p>Somewhere else</p> },
  ];
  return { api, ...renderApp(null, { identity: signedIn(role), path, routes }) };
}

const bodies = (api: ReturnType<typeof setUp>['api'], name: string) =>
  api.calls.filter(({ path }) => path === `rpc/${name}`).map(({ body }) => body);

describe('onboarding wizard', () => {
  it("ONB-01 shows progress, 'Step X of N' and 'Skip for now', which does not complete it", async () => {
    const { user, router } = setUp();
    expect(screen.getByText('Step 1 of 2')).toBeInTheDocument();
    const bar = screen.getByRole('progressbar', { name: 'Progress' });
    expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['1', '2']);
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText('Step 2 of 2')).toBeInTheDocument();
    expect(bar).toHaveAttribute('value', '2');
    await user.click(screen.getByRole('link', { name: 'Skip for now' }));
    expect(router.state.location.pathname).toBe('/community');
    expect(localStorage.getItem(flag)).toBeNull();
  });

  it('ONB-01 a double or triple click goes on by one step, instead of ending the wizard', async () => {
    const { user } = setUp();
    await user.tripleClick(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText('Step 2 of 2')).toBeInTheDocument();
    expect(localStorage.getItem(flag)).toBeNull();
  });

  it('ONB-02 leads members to their first quest and to their wallet', async () => {
    const { user } = setUp();
    expect(screen.getByRole('link', { name: 'Find a quest' })).toHaveAttribute('href', '/community');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByRole('link', { name: 'Open your wallet' })).toHaveAttribute('href', '/rewards');
  });

  it('ONB-03 C-66 startups create profile and quest and check their wallet', async () => {
    const { user, router } = setUp({ role: 'startup_unverified' });
    const targets: (string | null)[] = [];
    for (const name of ['Create profile', 'Create quest', 'Open project wallet']) {
      targets.push(screen.getByRole('link', { name }).getAttribute('href'));
      await user.click(screen.getByRole('button', { name: /Next|Finish/ }));
    }
    expect(targets).toEqual(['/startup/create', '/startup/campaigns/create', '/startup/wallet']);
    expect(localStorage.getItem(flag)).toBe('true');
    expect(router.state.location.pathname).toBe('/startup');
  });

  it.each([
    [800, /publish\. Your trial budget covers the first 800 points\.$/],
    [0, /publish\.$/],
  ])('ONB-03 promises the trial budget of the settings: %i', async (trial_budget_points, words) => {
    const { user } = setUp({
      role: 'startup_unverified',
      routes: { 'GET app_settings': [settingsRow({ trial_budget_points })] },
    });
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText(words)).toBeInTheDocument();
  });

  it('ONB-03 does not ask a founder again for the profile and the quest that are there', async () => {
    const { user } = setUp({
      role: 'startup_verified',
      routes: {
        'rpc get_own_startup': [projectRow({ id: 'p1', owner_user_id: 'user_test', name: 'Lumen' })],
        'rpc list_own_quests': [ownQuest()],
      },
    });
    expect(await screen.findByText('Lumen has its profile. You can change it at any time.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Edit profile' })).toHaveAttribute('href', '/startup/profile/edit');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByRole('link', { name: 'See your quests' })).toHaveAttribute('href', '/startup');
    expect(screen.queryByRole('link', { name: /^Create/ })).not.toBeInTheDocument();
  });

  it.each(['0', '3', '-1', '1.5', 'last', '%3Cscript%3E'])(
    'ONB-01 reads %s, which is no step, as the first',
    (step) => {
      setUp({ path: `/onboarding?step=${step}` });
      expect(screen.getByText('Step 1 of 2')).toBeInTheDocument();
    },
  );

  it("ONB-01 the browser's Back and Forward go from step to step", async () => {
    const { user, router } = setUp({ role: 'startup_verified' });
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText(/^Step 2 of/)).toBeInTheDocument();
    await act(() => router.navigate(-1));
    expect(screen.getByText(/^Step 1 of/)).toBeInTheDocument();
    await act(() => router.navigate(1));
    expect(screen.getByText(/^Step 2 of/)).toBeInTheDocument();
  });

  it('keeps its step in the address', () => {
    setUp({ role: 'startup_verified', path: '/onboarding?step=3' });
    expect(screen.getByText('Step 3 of 3')).toBeInTheDocument();
  });
});

describe('C-116 the first quest', () => {
  it('C-116 ONB-02 is a real one, done inside the wizard, and remains visible when it is done', async () => {
    const { user, api } = setUp({
      routes: {
        'GET tasks': [
          task('t0', { reward_points: 10 }),
          task('t1'),
          task('t2', { reward_points: 90, requires_proof: true }),
          task('t3', { reward_points: 80, approved_count: 4, pending_count: 1 }),
        ],
        'rpc submit_proof': submission('approved'),
      },
    });
    expect(await screen.findByRole('heading', { name: 'Task t1' })).toBeInTheDocument();
    expect(screen.getByText('Paperkite')).toBeInTheDocument();
    api.routes['GET submissions'] = [submission('approved')];
    api.routes['rpc get_own_quest_states'] = [{ campaign_id: 'q1', state: 'complete' }];
    // The quest is now full and leaves the list of open ones; the wizard keeps it.
    api.routes['rpc list_published_quests'] = [questListItem({ id: 'q2', startup_name: 'Nimbuslane' })];
    expect(screen.getByRole('button', { name: 'Next' })).not.toHaveClass('bg-action');
    await user.click(await screen.findByRole('button', { name: 'Quick Verify' }));
    expect(await screen.findByText(/Your first quest is done/)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('article')).toHaveFocus());
    // The page's one filled button is what to do next.
    expect(screen.getByRole('button', { name: 'Next' })).toHaveClass('bg-action');
    expect(bodies(api, 'submit_proof')).toMatchObject([{ p_task_id: 't1' }]);
    await waitFor(() => expect(api.calls.at(-1)?.params.get('campaign_id')).toBe('in.(q2)'));
    expect(screen.getByRole('heading', { name: 'Task t1' })).toBeInTheDocument();
    expect(screen.getByText(/Your first quest is done/)).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Complete your first quest' })).toBeInTheDocument();
  });

  it('C-116 is called another one by a member who has completed quests already', async () => {
    const { user, api } = setUp({
      routes: {
        'rpc get_own_quest_states': [{ campaign_id: 'q0', state: 'complete' }],
        'rpc submit_proof': submission('approved'),
      },
    });
    expect(await screen.findByRole('heading', { name: 'Complete another quest' })).toBeInTheDocument();
    const verify = await screen.findByRole('button', { name: 'Quick Verify' });
    api.routes['GET submissions'] = [submission('approved')];
    await user.click(verify);
    expect(await screen.findByText(/^Done\./)).toBeInTheDocument();
    expect(screen.queryByText(/first quest/)).not.toBeInTheDocument();
  });

  it('C-116 says that a proof is pending when it is not approved at once', async () => {
    setUp({ routes: { 'GET submissions': [submission('pending')] } });
    expect(await screen.findByText('Sent. The project will review it.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Quick Verify' })).not.toBeInTheDocument();
  });

  it.each([
    ['requires a proof', { 'GET tasks': [task('t1', { requires_proof: true })] }],
    ['requires a code', { 'GET tasks': [task('t1', { verification: 'code' })] }],
    ['is of a started quest', { 'rpc get_own_quest_states': [{ campaign_id: 'q1', state: 'started' }] }],
    ['is full', { 'GET tasks': [task('t1', { approved_count: 5 })] }],
    ['exists', { 'rpc list_published_quests': [] }],
  ])('C-116 links to the quests when every task %s', async (_, routes) => {
    setUp({ routes });
    expect(await screen.findByRole('link', { name: 'See the open quests' })).toHaveAttribute('href', '/browse');
    expect(screen.queryByRole('button', { name: 'Quick Verify' })).not.toBeInTheDocument();
  });
});

describe('C-116 the wallet', () => {
  it('C-116 ONB-01 shows the points, asks for name and interests, saves both and ends', async () => {
    const { user, api, router } = setUp({
      path: '/onboarding?step=2',
      routes: { 'rpc update_profile': profileRow(), 'rpc save_interests': profileRow() },
    });
    const words = await screen.findByText(/in your wallet, 5 of them held until they are confirmed/);
    expect(words.parentElement).toHaveTextContent(/^20 points/);
    await user.type(await screen.findByRole('textbox', { name: 'What should we call you?' }), 'Robin');
    await user.click(screen.getByRole('checkbox', { name: 'Travel' }));
    await user.click(screen.getByRole('checkbox', { name: 'Gaming' }));
    await user.click(screen.getByRole('checkbox', { name: 'Travel' }));
    await user.click(screen.getByRole('button', { name: 'Finish' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/community'));
    expect(bodies(api, 'update_profile')).toEqual([
      { p_username: 'robin', p_display_name: 'Robin', p_email: 'robin@example.org' },
    ]);
    expect(bodies(api, 'save_interests')).toEqual([{ p_interests: ['Gaming'] }]);
    expect(localStorage.getItem(flag)).toBe('true');
  });

  it('C-116 ONB-01 saves what was entered also on the way to the wallet', async () => {
    const { user, api, router } = setUp({
      path: '/onboarding?step=2',
      routes: { 'rpc update_profile': profileRow(), 'rpc save_interests': profileRow() },
    });
    await user.type(await screen.findByRole('textbox', { name: 'What should we call you?' }), 'Robin');
    await user.click(screen.getByRole('checkbox', { name: 'Gaming' }));
    await user.click(screen.getByRole('link', { name: 'Open your wallet' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/rewards'));
    expect(bodies(api, 'update_profile')).toMatchObject([{ p_display_name: 'Robin' }]);
    expect(bodies(api, 'save_interests')).toEqual([{ p_interests: ['Gaming'] }]);
    expect(localStorage.getItem(flag)).toBe('true');
  });

  it('asks before what was entered is lost by skipping or by a reload', async () => {
    const { user, router } = setUp({ path: '/onboarding?step=2' });
    const reload = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const name = await screen.findByRole('textbox', { name: 'What should we call you?' });
    expect(reload()).toBe(true);
    await user.type(name, 'Robin');
    expect(reload()).toBe(false);
    await user.click(screen.getByRole('link', { name: 'Skip for now' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
    await user.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
    expect(name).toHaveValue('Robin');
    await user.click(screen.getByRole('link', { name: 'Skip for now' }));
    await user.click(await screen.findByRole('button', { name: 'Leave page' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/community'));
  });

  it('carries nobody away who has gone elsewhere while it was being saved', async () => {
    const answer = Promise.withResolvers<unknown>();
    const { user, api, router } = setUp({
      path: '/onboarding?step=2',
      routes: { 'rpc update_profile': () => answer.promise, 'rpc save_interests': profileRow() },
    });
    await user.type(await screen.findByRole('textbox', { name: 'What should we call you?' }), 'Robin');
    await user.click(screen.getByRole('button', { name: 'Finish' }));
    await waitFor(() => expect(bodies(api, 'update_profile')).toHaveLength(1));
    await act(() => router.navigate('/browse'));
    answer.resolve(profileRow());
    await waitFor(() => expect(localStorage.getItem(flag)).toBe('true'));
    await requestsSent();
    expect(router.state.location.pathname).toBe('/browse');
  });

  it.each([
    ['the name', 'textbox', 'What should we call you?', 'update_profile'],
    ['an interest', 'checkbox', 'Gaming', 'save_interests'],
  ])(
    'C-116 saves only %s when nothing else was entered, which another tab may have changed',
    async (...[, role, name, call]) => {
      const { user, api, router } = setUp({
        path: '/onboarding?step=2',
        routes: { 'rpc update_profile': profileRow(), 'rpc save_interests': profileRow() },
      });
      const field = await screen.findByRole(role, { name });
      if (role === 'textbox') await user.type(field, 'Robin');
      else await user.click(field);
      await user.click(screen.getByRole('button', { name: 'Finish' }));
      await waitFor(() => expect(router.state.location.pathname).toBe('/community'));
      const saved = ['update_profile', 'save_interests'].filter((each) => bodies(api, each).length > 0);
      expect(saved).toEqual([call]);
    },
  );

  it('C-116 keeps the interests that another tab has saved meanwhile', async () => {
    const { user, api, router } = setUp({
      path: '/onboarding?step=2',
      routes: {
        'GET user_profiles': [profileRow({ interests: ['Gaming'] })],
        'rpc save_interests': profileRow(),
      },
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Gaming' }));
    await user.click(screen.getByRole('checkbox', { name: 'Energy' }));
    api.routes['GET user_profiles'] = [profileRow({ interests: ['Gaming', 'Travel'] })];
    await user.click(screen.getByRole('button', { name: 'Finish' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/community'));
    expect(bodies(api, 'save_interests')).toEqual([{ p_interests: ['Travel', 'Energy'] }]);
  });

  it('C-116 ONB-01 saves nothing when nothing was entered', async () => {
    const { user, api, router } = setUp({ path: '/onboarding?step=2' });
    await screen.findByRole('textbox', { name: 'What should we call you?' });
    await user.click(screen.getByRole('button', { name: 'Finish' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/community'));
    expect([...bodies(api, 'update_profile'), ...bodies(api, 'save_interests')]).toEqual([]);
    expect(localStorage.getItem(flag)).toBe('true');
  });

  it.each([
    ['button', 'Finish'],
    ['link', 'Open your wallet'],
  ])('C-116 remains open and says why when saving by the %s %s fails', async (role, name) => {
    const { user, router } = setUp({
      path: '/onboarding?step=2',
      routes: { 'rpc update_profile': refuse(400, 'RESERVED_NAME', 'Please choose another name') },
    });
    await user.type(await screen.findByRole('textbox', { name: 'What should we call you?' }), 'Admin');
    await user.click(screen.getByRole(role, { name }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please choose another name');
    expect(router.state.location.pathname).toBe('/onboarding');
    expect(localStorage.getItem(flag)).toBeNull();
  });
});
