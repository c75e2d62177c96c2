import { act, screen, waitFor } from '@testing-library/react';
import { questListItem } from '@/features/quests/testing/samples';
import { type ApiCall, type fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import type { QuestFacetState } from '../components/quest-facets';
import { listCalls, open, showHubPage } from '../testing/show-hub-page';

describe('BEY-18 filters', () => {
  // The page lazy-loads them, which on a busy machine takes longer than a test waits.
  beforeAll(() => import('../components/quest-filters'));

  const last = (api: ReturnType<typeof fakeApi>) => Object.fromEntries(listCalls(api).at(-1)?.params ?? []);

  it('are collapsed at first, kept in the address, sent to the server and reset together', async () => {
    const { api, user, router } = showHubPage();
    await screen.findByText('Open quest');
    expect(screen.queryByLabelText('Reward')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Filters' }));
    await user.selectOptions(await screen.findByLabelText('Reward'), '11 to 25 points');
    await user.selectOptions(screen.getByLabelText('Proof'), 'Screenshot');
    await user.selectOptions(screen.getByLabelText('Time'), 'Up to 15 minutes');
    await user.selectOptions(screen.getByLabelText('Industry'), 'Gaming');
    await user.click(screen.getByLabelText('No proof needed'));
    await waitFor(() =>
      expect(last(api)).toMatchObject({
        p_min_reward: '11',
        p_max_reward: '25',
        p_proof: 'screenshot',
        p_max_minutes: '15',
        p_industry: 'Gaming',
        p_only_one_press: 'true',
      }),
    );
    expect(router.state.location.search).toBe('?reward=11-25&proof=screenshot&time=15&industry=Gaming&press=1');
    api.routes['rpc list_published_quests'] = [];
    await user.selectOptions(screen.getByLabelText('Reward'), 'More than 50 points');
    await user.click(await screen.findByRole('button', { name: 'Reset Filters' }));
    expect(router.state.location.search).toBe('');
  });

  it('are read from the address and expanded; unknown values are ignored', async () => {
    const { api } = showHubPage('/browse?reward=51-&proof=video&time=7&industry=Nowhere&press=2');
    expect(await screen.findByLabelText('Reward')).toHaveValue('51-');
    expect(screen.getByRole('button', { name: 'Filters (1)' })).toHaveAttribute('aria-expanded', 'true');
    await screen.findByText('Open quest');
    const asked = last(api);
    expect(asked).toMatchObject({ p_min_reward: '51' });
    for (const name of ['p_max_reward', 'p_proof', 'p_min_minutes', 'p_max_minutes', 'p_industry', 'p_only_one_press'])
      expect(asked).not.toHaveProperty(name);
  });

  it.each([
    ['5', { p_max_minutes: '5' }],
    ['longer', { p_min_minutes: '16' }],
  ])('filter by the time %s from the address', async (time, expected) => {
    const { api } = showHubPage(`/browse?time=${time}`);
    expect(await screen.findByLabelText('Time')).toHaveValue(time);
    await screen.findByText('Open quest');
    expect(screen.getByRole('button', { name: 'Filters (1)' })).toBeInTheDocument();
    const { p_min_minutes, p_max_minutes } = last(api);
    expect({ p_min_minutes, p_max_minutes }).toEqual({
      p_min_minutes: undefined,
      p_max_minutes: undefined,
      ...expected,
    });
  });

  it('hide completed quests', async () => {
    const states = { 'rpc get_own_quest_states': [{ campaign_id: 'open', state: 'complete' }] };
    const { user } = showHubPage('/browse', states, signedIn());
    await screen.findByRole('region', { name: 'Done by you' });
    await user.click(screen.getByRole('button', { name: 'Filters' }));
    await user.click(await screen.findByLabelText('Hide completed quests'));
    expect(screen.queryByText('Open quest')).not.toBeInTheDocument();
  });

  it('a box stays as it was pressed while the list is being rendered for it', async () => {
    const { default: QuestFilters } = await import('../components/quest-filters');
    const values = { reward: '', proof: '', time: '', industry: '', press: '', done: '' };
    const { promise, resolve } = Promise.withResolvers<void>();
    const setters = Object.fromEntries(
      ['setReward', 'setProof', 'setTime', 'setIndustry', 'setPress', 'setDone'].map((name) => [name, () => promise]),
    );
    const state = { values, setters } as unknown as QuestFacetState;
    const { user } = renderApp(<QuestFilters state={state} isMember />, { identity: signedIn() });
    const hide = screen.getByRole('checkbox', { name: 'Hide completed quests' });
    await user.click(hide);
    expect(hide).toBeChecked();
    await act(async () => resolve());
    expect(hide).not.toBeChecked();
  });

  it('hiding completed quests loads further pages until there is something to show', async () => {
    const id = (number: number) => `quest-${number}`;
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => {
        const number = from + index;
        return questListItem({ ...open, id: id(number), title: `Quest ${number}`, cursor: String(number) });
      });
    const done = Array.from({ length: 100 }, (_, number) => ({ campaign_id: id(number), state: 'complete' }));
    const { api } = showHubPage(
      '/browse?done=hide',
      {
        'rpc get_own_quest_states': done,
        'rpc list_published_quests': ({ params }: ApiCall) => {
          if (params.get('p_view') !== 'open') return [];
          const cursor = params.get('p_cursor');
          return cursor === null ? page(0, 50) : cursor === '49' ? page(50, 50) : page(100, 50);
        },
      },
      signedIn(),
    );
    expect(await screen.findByText('Quest 100')).toBeInTheDocument();
    expect(screen.queryByText('Quest 99')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Show more quests' })).toBeInTheDocument();
    expect(listCalls(api).filter(({ params }) => params.get('p_view') === 'open')).toHaveLength(3);
  });

  it('hiding completed quests says so when there is nothing else', async () => {
    const states = { 'rpc get_own_quest_states': [{ campaign_id: 'open', state: 'complete' }] };
    showHubPage('/browse?done=hide', states, signedIn());
    expect(await screen.findByText('Nothing on the board matches your search and filters.')).toBeInTheDocument();
  });

  it('hiding completed quests does not call the board empty when the next ones could not be loaded, but tries again', async () => {
    const page = Array.from({ length: 50 }, (_, number) =>
      questListItem({ ...open, id: `quest-${number}`, title: `Quest ${number}`, cursor: String(number) }),
    );
    let next: unknown = refuse(500, null, 'down');
    const { user } = showHubPage(
      '/browse?done=hide',
      {
        'rpc get_own_quest_states': page.map(({ id }) => ({ campaign_id: id, state: 'complete' })),
        'rpc list_published_quests': ({ params }: ApiCall) => (params.has('p_cursor') ? next : page),
      },
      signedIn(),
    );
    expect(await screen.findByText('More quests could not be loaded.')).toHaveRole('alert');
    expect(screen.queryByText(/Nothing on the board/)).not.toBeInTheDocument();
    next = [open];
    await user.click(screen.getByRole('button', { name: 'Show more quests' }));
    expect(await screen.findByText('Open quest')).toBeInTheDocument();
    expect(screen.queryByText('More quests could not be loaded.')).not.toBeInTheDocument();
  });

  it('hiding completed quests, in a link that a member shared, is no filter for a visitor', async () => {
    const { unmount } = showHubPage('/browse?done=hide', { 'rpc list_published_quests': [] });
    expect(await screen.findByText('New quests are pinned here as soon as a project publishes one.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Filters' })).toHaveAttribute('aria-expanded', 'false');
    unmount();
    showHubPage('/browse?done=hide', {}, signedIn());
    expect(screen.getByRole('button', { name: 'Filters (1)' })).toHaveAttribute('aria-expanded', 'true');
  });

  it('a search is sorted by best match, unless another order is chosen', async () => {
    const { api, user, router } = showHubPage('/browse?q=tea');
    await screen.findByText('Open quest');
    expect(last(api)).toMatchObject({ p_search: 'tea', p_sort: 'match' });
    expect(screen.getByRole('combobox', { name: 'Sort quests' })).toHaveValue('match');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sort quests' }), 'Newest');
    expect(router.state.location.search).toBe('?q=tea&sort=new');
    await waitFor(() => expect(last(api).p_sort).toBe('new'));
  });

  it('a filtered list that fails says so', async () => {
    showHubPage('/browse?proof=text', { 'rpc list_published_quests': refuse(404, null, 'no such function') });
    expect(await screen.findByText('The quests could not be loaded')).toBeInTheDocument();
  });
});
