import { fireEvent, screen, waitFor } from '@testing-library/react';
import { INDUSTRIES } from '@/features/projects';
import { questListItem, slots } from '@/features/quests/testing/samples';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { projectRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import HubPage from './hub-page';

const open = questListItem({ id: 'open', title: 'Open quest' });
const full = questListItem({ id: 'full', title: 'Full quest' });
const unknown = questListItem({ id: 'unknown', title: 'Quest without statistics' });
const statistics = [
  { campaign_id: 'open', ...slots() },
  { campaign_id: 'full', ...slots({ available_slots: 0, completed_slots: 20, is_quest_full: true }) },
];

function show(path = '/browse', overrides: Record<string, unknown> = {}, identity = signedOut) {
  const api = fakeApi({
    'rpc list_published_quests': [open, full, unknown],
    'rpc get_quest_completion_stats': statistics,
    'GET startup_profiles': [
      projectRow(),
      projectRow({ id: 'p3', name: 'Not verified yet', status: 'pending' }),
      projectRow({ id: 'p2', name: 'Mossworks', industry: 'E-commerce', description: 'Refills for tea.' }),
    ],
    ...overrides,
  });
  return { api, ...renderApp(<HubPage />, { path, identity }) };
}
const titles = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
const listCalls = (api: ReturnType<typeof fakeApi>) =>
  api.calls.filter(({ path }) => path === 'rpc/list_published_quests');

describe('quests', () => {
  it('HUB-01 has the tabs, the choices of sort and a first page of 50', async () => {
    const { api } = show();
    expect(await screen.findByText('Open quest')).toBeInTheDocument();
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Quests',
      'Projects',
      'Active Quests',
      'Completed',
    ]);
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Newest', 'Highest Reward']);
    expect(listCalls(api)[0]?.params.get('p_limit')).toBe('50');
  });

  it('HUB-08 C-61 divides quests by free slots; one without statistics is in both', async () => {
    const { user, router } = show();
    await screen.findByText('Open quest');
    expect(titles()).toEqual(['Open quest', 'Quest without statistics']);
    await user.click(screen.getByRole('tab', { name: 'Completed' }));
    expect(titles()).toEqual(['Full quest', 'Quest without statistics']);
    expect(screen.getByRole('button', { name: 'Quest Full' })).toBeDisabled();
    expect(router.state.location.search).toBe('?view=completed');
  });

  it('HUB-09 TRUST-14 treats quests as full when statistics fail, and says that they failed', async () => {
    show('/browse?view=completed', { 'rpc get_quest_completion_stats': offline() });
    expect(await screen.findByText('Free spots could not be loaded')).toBeInTheDocument();
    expect(titles()).toHaveLength(3);
    for (const button of screen.getAllByRole('button', { name: 'Quest Full' })) expect(button).toBeDisabled();
  });

  it('HUB-01 searches and sorts on the server, both in the address', async () => {
    const { api, user, router } = show();
    await user.type(screen.getByRole('searchbox', { name: 'Search quests' }), 'tea');
    await waitFor(() => expect(listCalls(api).at(-1)?.params.get('p_search')).toBe('tea'));
    expect(router.state.location.search).toBe('?q=tea');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sort quests' }), 'Highest Reward');
    expect(router.state.location.search).toBe('?q=tea&sort=reward');
    await waitFor(() => expect(listCalls(api).at(-1)?.params.get('p_sort')).toBe('reward'));
    expect(listCalls(api).at(-1)?.params.get('p_search')).toBe('tea');
  });

  it('HUB-07 says that there is nothing, and clears a search that found nothing', async () => {
    const { user, router } = show('/browse?q=zzz', { 'rpc list_published_quests': [] });
    expect(await screen.findByText('No active quests available')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Reset Filters' }));
    expect(router.state.location.search).toBe('');
    expect(screen.getByRole('searchbox')).toHaveValue('');
    await user.click(screen.getByRole('tab', { name: 'Completed' }));
    expect(await screen.findByText('No completed quests yet')).toBeInTheDocument();
  });

  it('TRUST-14 shows a failed list as such, and loads it again on Retry', async () => {
    const { api, user } = show('/browse', { 'rpc list_published_quests': refuse(500, null, 'down') });
    expect(await screen.findByText('The quests could not be loaded')).toBeInTheDocument();
    api.routes['rpc list_published_quests'] = [open];
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Open quest')).toBeInTheDocument();
  });
});

describe('visitors and members', () => {
  it('HUB-06 invites visitors to sign up, and only them', async () => {
    const { unmount } = show();
    expect(screen.getByRole('link', { name: 'Start Earning Now' })).toHaveAttribute('href', '/auth/signup');
    unmount();
    show('/browse', {}, signedIn());
    await screen.findByText('Open quest');
    expect(screen.queryByText('Start Earning Now')).not.toBeInTheDocument();
  });
});

describe('projects', () => {
  it('HUB-02 HUB-05 searches and filters on the client; cards lead to the projects', async () => {
    const { api, user } = show('/browse?tab=projects');
    expect(await screen.findByRole('link', { name: 'Paperkite' })).toHaveAttribute('href', '/community/project/p1');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Industry' }), 'E-commerce');
    expect(titles().join()).toMatch(/^Mossworks/);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Industry' }), 'All industries');
    await user.type(screen.getByRole('searchbox', { name: 'Search projects' }), 'refills');
    await waitFor(() => expect(titles().join()).toMatch(/^Mossworks/));
    expect(api.calls.filter(({ path }) => path === 'startup_profiles')).toHaveLength(1);
  });

  it('HUB-02 keeps an industry that is chosen before the search has begun', async () => {
    const { user, router } = show('/browse?tab=projects');
    await screen.findByRole('link', { name: 'Paperkite' });
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search projects' }), { target: { value: 'refills' } });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Industry' }), 'E-commerce');
    await waitFor(() => expect(router.state.location.search).toContain('q=refills'));
    expect(router.state.location.search).toContain('industry=E-commerce');
  });

  it('HUB-03 offers all 20 industries', async () => {
    show('/browse?tab=projects');
    const options = screen.getAllByRole('option').map((option) => option.textContent);
    expect(options).toEqual(['All industries', ...INDUSTRIES]);
    expect(INDUSTRIES).toHaveLength(20);
  });

  it('HUB-07 says that no project was found and clears search and industry', async () => {
    const { user } = show('/browse?tab=projects&industry=Energy&q=kite');
    expect(await screen.findByText('No projects found')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Reset Filters' }));
    expect(await screen.findByRole('link', { name: 'Paperkite' })).toBeInTheDocument();
  });
});
