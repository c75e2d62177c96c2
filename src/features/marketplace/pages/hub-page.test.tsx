import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { projectRow, twentyIndustries } from '@/features/projects/testing';
import { questListItem } from '@/features/quests/testing/samples';
import { type ApiCall, refuse } from '@/lib/testing/fake-api';
import { signedIn, signedOut } from '@/lib/testing/render';
import { full, listCalls, open, showHubPage } from '../testing/show-hub-page';

const titles = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
/** Cheap, unlike a search for a text: the cards are rendered in between. */
const listIsWhole = () =>
  waitFor(() => expect(document.querySelector('li ~ li')?.parentElement).toHaveAttribute('aria-busy', 'false'));
describe('quests', () => {
  it('HUB-01 has the tabs, the sort options and a first page of 50', async () => {
    const { api } = showHubPage();
    expect(await screen.findByText('Open quest')).toBeInTheDocument();
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Quests',
      'Projects',
      'Active Quests',
      'Completed',
    ]);
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Newest', 'Highest Reward']);
    const [asked] = listCalls(api);
    expect([asked?.params.get('p_limit'), asked?.params.get('p_sort')]).toEqual(['50', 'new']);
  });

  it('HUB-08 C-107 each tab shows the quests that the server lists for it, with one request', async () => {
    const { api, user, router } = showHubPage();
    await screen.findByText('Open quest');
    expect(titles()).toEqual(['Open quest']);
    expect(screen.getByText('15 of 20 spots left')).toBeInTheDocument();
    await user.click(screen.getByRole('tab', { name: 'Completed' }));
    expect(await screen.findByText('Full quest')).toBeInTheDocument();
    expect(titles()).toEqual(['Full quest']);
    expect(screen.getByRole('button', { name: 'Quest Full' })).toBeDisabled();
    expect(router.state.location.search).toBe('?view=completed');
    expect(api.calls.map(({ path, params }) => [path, params.get('p_view')])).toEqual([
      ['rpc/list_published_quests', 'open'],
      ['rpc/list_published_quests', 'full'],
    ]);
  });

  it.each([
    ['active', 'open', { is_full: false }],
    ['completed', 'full', { is_full: true, open_slots: 0 }],
  ] as const)('HUB-08 the tab %s pages within its view', async (tab, view, state) => {
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => {
        const id = `${view}-${from + index}`;
        return questListItem({ ...state, id, title: id, cursor: `after-${id}` });
      });
    const { api, user } = showHubPage(`/browse?view=${tab}`, {
      'rpc list_published_quests': ({ params }: ApiCall) => {
        if (params.get('p_view') !== view) return [];
        return params.get('p_cursor') === `after-${view}-49` ? page(50, 1) : page(0, 50);
      },
    });
    await listIsWhole();
    await user.click(screen.getByRole('button', { name: 'Show more quests' }));
    expect(await screen.findByText(`${view}-50`)).toBeInTheDocument();
    expect(titles()).toHaveLength(51);
    expect(screen.queryByRole('button', { name: 'Show more quests' })).not.toBeInTheDocument();
    expect(listCalls(api)).toHaveLength(2);
  });

  it('HUB-09 C-34 C-107 a failed list is shown as such, and no quest as full', async () => {
    showHubPage('/browse?view=completed', { 'rpc list_published_quests': refuse(500, null, 'down') });
    expect(await screen.findByText('The quests could not be loaded')).toBeInTheDocument();
    expect(screen.queryByText('No completed quests yet')).not.toBeInTheDocument();
    expect(screen.queryByText('Quest Full')).not.toBeInTheDocument();
  });

  it("BEY-21 cards show the member's progress, and the list is the same for everybody", async () => {
    const states = { 'rpc get_own_quest_states': [{ campaign_id: 'open', state: 'rejected' }] };
    const { api, unmount } = showHubPage('/browse', states, signedIn());
    expect(await screen.findByRole('link', { name: 'Try Again' })).toBeInTheDocument();
    const asked = listCalls(api)[0]?.params.toString();
    unmount();
    const visitor = showHubPage('/browse', states);
    await screen.findByText('View Details');
    expect(visitor.api.calls.some(({ path }) => path === 'rpc/get_own_quest_states')).toBe(false);
    expect(listCalls(visitor.api)[0]?.params.toString()).toBe(asked);
  });

  it('BEY-21 completed quests are listed last, in a separate group', async () => {
    const states = { 'rpc get_own_quest_states': [{ campaign_id: 'open', state: 'complete' }] };
    showHubPage('/browse', states, signedIn());
    const done = await screen.findByRole('region', { name: 'Done by you' });
    expect(within(done).getByText('Done')).toBeInTheDocument();
    const cards = screen.getAllByRole('heading', { level: 3 });
    expect(cards).toHaveLength(1);
    expect(done).toContainElement(cards[0] ?? null);
  });

  it('HUB-01 searches and sorts on the server, both in the address', async () => {
    const { api, user, router } = showHubPage();
    await user.type(screen.getByRole('searchbox', { name: 'Search quests' }), 'tea');
    await waitFor(() => expect(listCalls(api).at(-1)?.params.get('p_search')).toBe('tea'));
    expect(router.state.location.search).toBe('?q=tea');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sort quests' }), 'Highest Reward');
    expect(router.state.location.search).toBe('?q=tea&sort=reward');
    await waitFor(() => expect(listCalls(api).at(-1)?.params.get('p_sort')).toBe('reward'));
    expect(listCalls(api).at(-1)?.params.get('p_search')).toBe('tea');
  });

  it('tells screen readers how many quests are shown, also when a search finds none', async () => {
    const { api, user } = showHubPage();
    await screen.findByText('Open quest');
    const status = screen.getByRole('status');
    expect(status).toHaveTextContent(/^[1-9]\d* quests? shown$/);
    api.routes['rpc list_published_quests'] = [];
    await user.type(screen.getByRole('searchbox'), 'zzz');
    expect(await screen.findByText('No active quests available')).toBeInTheDocument();
    expect(status).toBeInTheDocument();
    expect(status).toHaveTextContent('0 quests shown');
  });

  it('HUB-07 says that there is nothing, and clears a search without results', async () => {
    const { user, router } = showHubPage('/browse?q=zzz', { 'rpc list_published_quests': [] });
    expect(await screen.findByText('No active quests available')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Reset Filters' }));
    expect(router.state.location.search).toBe('');
    expect(screen.getByRole('searchbox')).toHaveValue('');
    expect(screen.getByRole('searchbox')).toHaveFocus();
    await user.click(screen.getByRole('tab', { name: 'Completed' }));
    expect(await screen.findByText('No completed quests yet')).toBeInTheDocument();
  });

  it.each([
    ['another tab', '/browse', ({ params }: ApiCall) => params.get('p_view') === 'open', 'Completed', 'tab'],
    [
      'the search taken back',
      '/browse?q=zzz',
      ({ params }: ApiCall) => params.has('p_search'),
      'Reset Filters',
      'button',
    ],
  ] as const)(
    'TRUST-14 HUB-07 %s is not called empty before its list is there',
    async (_, path, isEmpty, name, role) => {
      const answer = Promise.withResolvers<unknown>();
      const listed = (call: ApiCall) => (isEmpty(call) ? [] : answer.promise);
      const { user } = showHubPage(path, { 'rpc list_published_quests': listed });
      await screen.findByText('No active quests available');
      await user.click(screen.getByRole(role, { name }));
      expect(screen.queryByText(/^No .* quests/)).not.toBeInTheDocument();
      answer.resolve([open]);
      expect(await screen.findByText('Open quest')).toBeInTheDocument();
    },
  );

  it('HUB-08 a tab shows no quest of another, before its own are there, either', async () => {
    const answer = Promise.withResolvers<unknown>();
    const { api, user } = showHubPage();
    await screen.findByText('Open quest');
    api.routes['rpc list_published_quests'] = () => answer.promise;
    await user.click(screen.getByRole('searchbox', { name: 'Search quests' }));
    await user.paste('tea');
    await waitFor(() => expect(listCalls(api)).toHaveLength(2));
    // Of the search before, and dimmed.
    expect(screen.getByText('Open quest').closest('[role=tabpanel]')).toHaveClass('opacity-60');
    await user.click(screen.getByRole('tab', { name: 'Completed' }));
    expect(screen.getByRole('tab', { name: 'Completed' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.queryByText('Open quest')).not.toBeInTheDocument();
    answer.resolve([full]);
    expect(await screen.findByText('Full quest')).toBeInTheDocument();
  });

  it('TRUST-14 shows a failed list as such, and reloads it on Retry', async () => {
    const { api, user } = showHubPage('/browse', { 'rpc list_published_quests': refuse(500, null, 'down') });
    expect(await screen.findByText('The quests could not be loaded')).toBeInTheDocument();
    api.routes['rpc list_published_quests'] = [open];
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Open quest')).toBeInTheDocument();
  });
});

describe('fifty cards', () => {
  const quests = Array.from({ length: 50 }, (_, index) => questListItem({ id: `q-${index}`, title: `Quest ${index}` }));

  /** Returns how many cards were rendered since the last call: each reads the age of its quest. */
  function countCards() {
    const tell = vi.spyOn(Intl.RelativeTimeFormat.prototype, 'format');
    onTestFinished(() => tell.mockRestore());
    return () => {
      const { length } = tell.mock.calls;
      tell.mockClear();
      return length;
    };
  }

  async function showFifty() {
    const rendered = countCards();
    const routes = { 'rpc list_published_quests': quests, 'rpc set_quest_saved': true };
    const hub = showHubPage('/browse', routes, signedIn());
    await listIsWhole();
    expect(screen.getByText('Quest 49')).toBeInTheDocument();
    await waitFor(() => expect(hub.queryClient.isFetching()).toBe(0));
    expect(rendered()).toBeGreaterThanOrEqual(50);
    return { ...hub, rendered };
  }

  /** Titles of the cards added to an existing list. */
  function watchAdded(): string[] {
    const added: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof HTMLLIElement) added.push(within(node).getByRole('heading').textContent);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    onTestFinished(() => observer.disconnect());
    return added;
  }

  it('are rendered six at a time, and all at once after Back', async () => {
    const added = watchAdded();
    const { router } = await showFifty();
    expect(added).toEqual(quests.slice(6).map(({ title }) => title));
    await act(() => router.navigate('/community'));
    expect(screen.getByText('Another page')).toBeInTheDocument();
    added.length = 0;
    await act(() => router.navigate(-1));
    await listIsWhole();
    expect(screen.getByText('Quest 49')).toBeInTheDocument();
    expect(added).toEqual([]);
  });

  it.each([
    ['Projects', 'Quests'],
    ['Completed', 'Active Quests'],
  ])('are rendered six at a time when %s is left for %s', async (other, back) => {
    const { user } = await showFifty();
    const choose = async (name: string) => {
      await user.click(screen.getByRole('tab', { name }));
      await waitFor(() => expect(screen.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true'));
    };
    const added = watchAdded();
    await choose(other);
    await (other === 'Projects' ? screen.findByText('Mossworks') : listIsWhole());
    added.length = 0;
    await choose(back);
    await listIsWhole();
    expect(added).toEqual(quests.slice(6).map(({ title }) => title));
  });

  it('are not rendered again for a key typed into the search', async () => {
    const { rendered } = await showFifty();
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search quests' }), { target: { value: 'q' } });
    expect(screen.getByRole('searchbox', { name: 'Search quests' })).toHaveValue('q');
    expect(rendered()).toBe(0);
  });

  it('are not rendered again, except one, when a quest is saved', async () => {
    const { api, user, queryClient, rendered } = await showFifty();
    api.routes['GET saved_quests'] = [{ campaign_id: 'q-7' }];
    await user.click(screen.getByRole('button', { name: 'Save Quest 7' }));
    await waitFor(() => expect(queryClient.isMutating() + queryClient.isFetching()).toBe(0));
    expect(screen.getByRole('button', { name: 'Save Quest 7' })).toHaveAttribute('aria-pressed', 'true');
    expect(rendered()).toBe(1);
  });
});

describe('BEY-18 saving a quest', () => {
  it('toggles on its card', async () => {
    const { api, user, queryClient } = showHubPage('/browse', { 'rpc set_quest_saved': true }, signedIn());
    const button = await screen.findByRole('button', { name: 'Save Open quest' });
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(button).toHaveAttribute('aria-pressed', 'false');
    api.routes['GET saved_quests'] = [{ campaign_id: 'open' }];
    await user.click(button);
    await waitFor(() => expect(button).toHaveAttribute('aria-pressed', 'true'));
    api.routes['GET saved_quests'] = [];
    await user.click(button);
    await waitFor(() => expect(button).toHaveAttribute('aria-pressed', 'false'));
    const sent = api.calls.filter(({ path }) => path === 'rpc/set_quest_saved').map(({ body }) => body);
    expect(sent).toEqual([
      { p_campaign_id: 'open', p_is_saved: true },
      { p_campaign_id: 'open', p_is_saved: false },
    ]);
  });

  it('says why it could not be saved, and reverts', async () => {
    const full = refuse(409, 'SAVED_LIMIT', 'You can save up to 500 quests. Please remove one first.');
    const { user } = showHubPage('/browse', { 'rpc set_quest_saved': full }, signedIn());
    const button = await screen.findByRole('button', { name: 'Save Open quest' });
    await user.click(button);
    expect(await screen.findByText('You can save up to 500 quests. Please remove one first.')).toBeInTheDocument();
    expect(button).toHaveAttribute('aria-pressed', 'false');
  });

  it('asks visitors to sign in and return', async () => {
    const { user, router } = showHubPage('/browse?q=open');
    await user.click(await screen.findByRole('button', { name: 'Save Open quest' }));
    expect(router.state.location).toMatchObject({
      pathname: '/auth/signin',
      search: '?redirect=%2Fbrowse%3Fq%3Dopen',
    });
  });

  it('happens once when the visitor returns signed in, but not when they return as a visitor', async () => {
    const press = async () => {
      const visitor = showHubPage();
      await visitor.user.click(await screen.findByRole('button', { name: 'Save Open quest' }));
      visitor.unmount();
    };
    const comeBack = async (identity = signedOut) => {
      const { api, unmount } = showHubPage(
        '/browse',
        { 'rpc set_quest_saved': true, 'GET saved_quests': [{ campaign_id: 'open' }] },
        identity,
      );
      const isPressed = identity !== signedOut;
      await screen.findByRole('button', { name: 'Save Open quest', pressed: isPressed });
      unmount();
      return api.calls.filter(({ path }) => path === 'rpc/set_quest_saved').map(({ body }) => body);
    };
    await press();
    expect(await comeBack(signedIn())).toEqual([{ p_campaign_id: 'open', p_is_saved: true }]);
    expect(await comeBack(signedIn())).toEqual([]);
    await press();
    expect(await comeBack()).toEqual([]);
    expect(await comeBack(signedIn())).toEqual([]);
  });
});

describe('visitors and members', () => {
  it('HUB-06 invites only visitors to sign up', async () => {
    const { unmount } = showHubPage();
    expect(screen.getByRole('link', { name: 'Start Earning Now' })).toHaveAttribute('href', '/auth/signup');
    unmount();
    showHubPage('/browse', {}, signedIn());
    await screen.findByText('Open quest');
    expect(screen.queryByText('Start Earning Now')).not.toBeInTheDocument();
  });
});

describe('projects', () => {
  it('HUB-02 HUB-05 searches and filters on the client; cards link to the projects', async () => {
    const { api, user } = showHubPage('/browse?tab=projects');
    expect(await screen.findByRole('link', { name: 'Paperkite' })).toHaveAttribute('href', '/community/project/p1');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Industry' }), 'E-commerce');
    expect(titles()).toEqual(['MossworksVerified']);
    expect(screen.getByRole('status')).toHaveTextContent('1 project shown');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Industry' }), 'All industries');
    expect(titles()).toHaveLength(2);
    await user.type(screen.getByRole('searchbox', { name: 'Search projects' }), 'refills');
    await waitFor(() => expect(titles()).toEqual(['MossworksVerified']));
    expect(api.calls.filter(({ path }) => path === 'startup_profiles')).toHaveLength(1);
  });

  it('HUB-02 an unknown industry in the address means all of them, as the filter says', async () => {
    showHubPage('/browse?tab=projects&industry=Nonsense');
    expect(await screen.findByRole('link', { name: 'Paperkite' })).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Industry' })).toHaveDisplayValue('All industries');
  });

  it('HUB-02 keeps an industry that was chosen before the search started', async () => {
    const { user, router } = showHubPage('/browse?tab=projects');
    await screen.findByRole('link', { name: 'Paperkite' });
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search projects' }), { target: { value: 'refills' } });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Industry' }), 'E-commerce');
    await waitFor(() => expect(router.state.location.search).toContain('q=refills'));
    expect(router.state.location.search).toContain('industry=E-commerce');
  });

  it('are rendered 48 at a time, and as many again at the same address', async () => {
    const many = Array.from({ length: 100 }, (_, index) => projectRow({ id: `p${index}`, name: `Project ${index}` }));
    const cards = async () => (await screen.findAllByRole('link', { name: /^Project/ })).length;
    const { user, router, unmount } = showHubPage('/browse?tab=projects', { 'GET startup_profiles': many });
    expect(await cards()).toBe(48);
    await user.click(screen.getByRole('button', { name: 'Show more projects' }));
    expect(await cards()).toBe(96);
    await user.click(screen.getByRole('button', { name: 'Show more projects' }));
    expect(await cards()).toBe(100);
    expect(screen.queryByRole('button', { name: 'Show more projects' })).not.toBeInTheDocument();
    const address = `/browse${router.state.location.search}`;
    unmount();
    showHubPage(address, { 'GET startup_profiles': many });
    expect(await cards()).toBe(100);
  });

  it('HUB-03 offers all 20 industries', async () => {
    showHubPage('/browse?tab=projects');
    const options = screen.getAllByRole('option').map((option) => option.textContent);
    expect(options).toEqual(['All industries', ...twentyIndustries]);
  });

  it('HUB-07 says that no project was found and resets search and industry', async () => {
    const { user, router } = showHubPage('/browse?tab=projects&industry=Energy&q=kite');
    expect(await screen.findByText('No projects found')).toBeInTheDocument();
    expect(screen.getByRole('status')).toHaveTextContent('0 projects shown');
    await user.click(screen.getByRole('button', { name: 'Reset Filters' }));
    expect(router.state.location.search).toBe('?tab=projects');
    expect(screen.getByRole('searchbox', { name: 'Search projects' })).toHaveValue('');
    expect(await screen.findByRole('link', { name: 'Paperkite' })).toBeInTheDocument();
    expect(screen.getByRole('searchbox', { name: 'Search projects' })).toHaveFocus();
  });
});
