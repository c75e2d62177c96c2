import { screen, waitFor } from '@testing-library/react';
import { type fakeApi, refuse } from '@/lib/testing/fake-api';
import { signedIn } from '@/lib/testing/render';
import { listCalls, showHubPage } from '../testing/show-hub-page';

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
    await user.click(screen.getByLabelText('One press, no proof'));
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
    await user.click(await screen.findByLabelText('Hide what I have done'));
    expect(screen.queryByText('Open quest')).not.toBeInTheDocument();
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
