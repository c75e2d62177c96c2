// @vitest-environment jsdom
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { type ApiCall, fakeApi, refuse } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { questRow, taskRow } from '@/lib/testing/quest-rows';
import { settingsRow } from '@/lib/testing/rows';
import { questQueries } from './queries';
import type { QuestFilters } from './quest';

const missing = refuse(404, null, 'Could not find the function in the schema cache');
const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

it('QUEST-07 maps completions by task and refetches every minute', async () => {
  const api = fakeApi({
    'rpc get_task_completion_counts': [{ task_id: 't1', completions: 3, pending: 1, kept: 0, remaining_slots: 6 }],
  });
  const query = questQueries.taskCounts(['t1', 't2']);
  expect(await client().fetchQuery(query)).toEqual({ t1: { approved_count: 3, pending_count: 1, kept_count: 0 } });
  expect(api.calls[0]).toMatchObject({ method: 'GET', path: 'rpc/get_task_completion_counts' });
  expect(api.calls[0]?.params.get('p_task_ids')).toBe('{t1,t2}');

  // A minute, plus or minus the jitter that spreads the load.
  vi.useFakeTimers();
  const stop = new QueryObserver(client(), query).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(53_000);
  expect(api.calls).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(api.calls).toHaveLength(3);
  stop();
});

describe('DB-28 fallback to the tables without the procedures', () => {
  const row = (id: string, overrides: Parameters<typeof questRow>[0] = {}, project: object = {}) => ({
    ...questRow({ id, ...overrides }),
    startup_profiles: { name: 'Mossworks', logo_url: null, status: 'verified', ...project },
    tasks: [{ verification: 'review', requires_proof: true }],
  });
  const routes = {
    'GET app_settings': [settingsRow({ beta_mode: false })],
    'rpc list_published_quests': missing,
    'rpc get_task_completion_counts': missing,
  };

  it('a quest has its project, its reward, its slots and a time', async () => {
    const time = '2026-01-01T00:00:00Z';
    const slots = { total_slots: 20, open_slots: -1, is_full: true };
    fakeApi({
      ...routes,
      'GET campaigns': [row('q1', { open_reward_points: 45, created_at: time, published_at: null, ...slots })],
    });
    const [quest] = await fetchQuery(questQueries.list());
    expect(quest).toMatchObject({ id: 'q1', reward_points: 45, published_at: time });
    expect(quest).toMatchObject({ total_slots: 20, open_slots: 0, is_full: true });
    expect(quest).toMatchObject({ startup_name: 'Mossworks', startup_logo_url: null, startup_verified: true });
    expect(quest).toMatchObject({ review_hours: 72 });
    for (const key of ['cursor', 'open_reward_points', 'startup_profiles']) expect(quest).not.toHaveProperty(key);
  });

  it('a quest of an unknown project is not verified', async () => {
    fakeApi({
      ...routes,
      'GET campaigns': [
        row('q1', {}, { status: 'pending', logo_url: '/logo.png' }),
        { ...questRow({ id: 'q2', published_at: '2026-01-03T00:00:00Z' }), startup_profiles: null, tasks: [] },
      ],
    });
    const [second, first] = await fetchQuery(questQueries.list({ sort: 'trending' }));
    expect(first).toMatchObject({ startup_verified: false, startup_logo_url: '/logo.png' });
    expect(second).toMatchObject({ startup_name: '', startup_logo_url: null, startup_verified: false });
    expect(second?.published_at).toBe('2026-01-03T00:00:00Z');
  });

  it.each([
    [{}, ['new', 'trend', 'sale', 'full', 'dear']],
    [{ sort: 'new' }, ['new', 'trend', 'sale', 'full', 'dear']],
    [{ sort: 'reward' }, ['dear', 'full', 'trend', 'sale', 'new']],
    [{ sort: 'trending' }, ['trend', 'sale', 'new', 'full', 'dear']],
    [{ limit: 2 }, ['new', 'trend']],
    [{ view: 'open' }, ['new', 'trend', 'sale', 'dear']],
    [{ view: 'full' }, ['full']],
    [{ view: 'all' }, ['new', 'trend', 'sale', 'full', 'dear']],
    [{ projectId: 'p2' }, ['sale']],
    [{ search: ' 50% "OFF" ' }, ['sale', 'dear']],
    [{ search: '  ' }, ['new', 'trend', 'sale', 'full', 'dear']],
    [{ search: '50' }, ['trend', 'sale', 'dear']],
  ] as [QuestFilters, string[]][])('%j lists %j, published ones only', async (filters, expected) => {
    fakeApi({
      ...routes,
      'GET campaigns': [
        row('trend', { published_at: '2026-02-01T00:00:00Z', summary: '500 "off"' }),
        row('sale', { startup_id: 'p2', summary: 'Get 50% "off" today' }),
        row('full', { is_full: true, budget_points: 600 }),
        row('dear', { open_reward_points: 900, title: '50% "Off"' }),
        row('new', { created_at: '2026-01-05T00:00:00Z' }),
        row('draft', { status: 'draft', created_at: '2026-01-06T00:00:00Z' }),
      ],
    });
    expect(idsOf(await fetchQuery(questQueries.list(filters)))).toEqual(expected);
  });

  it('lists ten by default', async () => {
    fakeApi({ ...routes, 'GET campaigns': Array.from({ length: 11 }, (_, index) => row(`q${index}`)) });
    expect(await fetchQuery(questQueries.list())).toHaveLength(10);
  });

  it('counts are those of the requested tasks', async () => {
    fakeApi({
      ...routes,
      'GET tasks': [taskRow({ id: 't1', approved_count: 3, pending_count: 1 }), taskRow({ id: 'other' })],
    });
    expect(await fetchQuery(questQueries.taskCounts(['t1']))).toEqual({
      t1: { approved_count: 3, pending_count: 1, kept_count: 0 },
    });
  });

  it('there is only one page', async () => {
    const api = fakeApi({ 'GET campaigns': [row('q1')] });
    const fifty = Array.from({ length: 50 }, (_, index) => ({ id: `q${index}`, cursor: `cursor-${index}` }));
    api.routes['rpc list_published_quests'] = ({ params }: ApiCall) => (params.has('p_cursor') ? missing : fifty);
    const read = { ...questQueries.pages({}), pages: 3 };
    const { pages } = await new QueryClient().fetchInfiniteQuery(read);
    expect(pages.map(({ length }) => length)).toEqual([50, 0]);
  });
});

describe('the list procedure', () => {
  const asked = async (run: () => Promise<unknown>) => {
    const api = fakeApi({ 'rpc list_published_quests': [] });
    await run();
    expect(api.calls[0]?.method).toBe('GET');
    return Object.fromEntries(api.calls[0]?.params ?? []);
  };

  it.each([
    [{}, { p_sort: 'new', p_limit: '10' }],
    [{ search: '' }, { p_sort: 'new', p_limit: '10' }],
    [
      { search: 'x'.repeat(101), sort: 'trending', limit: 3, view: 'open', projectId: 'p1' },
      { p_search: 'x'.repeat(100), p_sort: 'trending', p_limit: '3', p_view: 'open', p_startup_id: 'p1' },
    ],
  ] as [QuestFilters, object][])('is asked for %j', async (filters, expected) => {
    expect(await asked(() => fetchQuery(questQueries.list(filters)))).toEqual(expected);
  });

  it('HUB-01 the hub requests 50 quests, then those after the last', async () => {
    const page = (start: number, length: number) =>
      Array.from({ length }, (_, index) => ({ id: `q${start + index}`, cursor: `cursor-${start + index}` }));
    const api = fakeApi({
      'rpc list_published_quests': ({ params }: ApiCall) => (params.has('p_cursor') ? page(50, 7) : page(0, 50)),
    });
    const read = { ...questQueries.pages({ search: 'tea', sort: 'reward', view: 'full' }), pages: 5 };
    const { pages } = await new QueryClient().fetchInfiniteQuery(read);
    expect(pages.map(({ length }) => length)).toEqual([50, 7]);
    expect(api.calls.map(({ params }) => Object.fromEntries(params))).toEqual([
      { p_search: 'tea', p_sort: 'reward', p_limit: '50', p_view: 'full' },
      { p_search: 'tea', p_sort: 'reward', p_limit: '50', p_view: 'full', p_cursor: 'cursor-49' },
    ]);
  });
});

it('counts are not requested without tasks', () => {
  expect([questQueries.taskCounts([]).enabled, questQueries.taskCounts(['t1']).enabled]).toEqual([false, true]);
});

it.each([
  [404, 'CAMPAIGN_NOT_FOUND'],
  [500, null],
])('DB-28 C-90 a failure %s %s does not trigger the fallback', async (status, hint) => {
  const api = fakeApi({ 'rpc list_published_quests': refuse(status, hint, 'x') });
  await expect(fetchQuery(questQueries.list())).rejects.toMatchObject({ status });
  expect(api.calls).toHaveLength(1);
});

it("PROJ-02 a project's quests are read to the end", async () => {
  const page = (start: number, length: number) =>
    Array.from({ length }, (_, index) => ({ id: `q${start + index}`, cursor: `cursor-${start + index}` }));
  const api = fakeApi({
    'rpc list_published_quests': ({ params }: ApiCall) => (params.has('p_cursor') ? page(100, 7) : page(0, 100)),
  });
  expect(await fetchQuery(questQueries.ofProject('p1'))).toHaveLength(107);
  expect(api.calls.map(({ params }) => Object.fromEntries(params))).toEqual([
    { p_sort: 'new', p_limit: '100', p_startup_id: 'p1' },
    { p_sort: 'new', p_limit: '100', p_startup_id: 'p1', p_cursor: 'cursor-99' },
  ]);
});

it('SDASH-06 the own quests are read to the end', async () => {
  const page = (start: number, length: number) =>
    Array.from({ length }, (_, index) => ({ id: `q${start + index}`, cursor: `cursor-${start + index}` }));
  const api = fakeApi({
    'rpc list_own_quests': ({ params }: ApiCall) => (params.has('p_cursor') ? page(100, 1) : page(0, 100)),
  });
  expect(await fetchQuery(questQueries.own('p1'))).toHaveLength(101);
  expect(api.calls.map(({ params }) => params.get('p_cursor'))).toEqual([null, 'cursor-99']);
});

it("BEY-21 the member's progress comes by quest, and visitors request nothing", async () => {
  const api = fakeApi({
    'rpc get_own_quest_states': [
      { campaign_id: 'q1', state: 'waiting' },
      { campaign_id: 'q2', state: 'complete' },
    ],
  });
  expect(await fetchQuery(questQueries.ownStates('user_1'))).toEqual({ q1: 'waiting', q2: 'complete' });
  expect(api.calls[0]?.method).toBe('GET');
  expect(questQueries.ownStates('').enabled).toBe(false);
});

it('quest queries are cached separately', () => {
  const keys = [
    questQueries.list(),
    questQueries.list({ limit: 3 }),
    questQueries.pages({}),
    questQueries.pages({ sort: 'reward' }),
    questQueries.pages({ search: 'tea' }),
    questQueries.pages({ view: 'full' }),
    questQueries.ownStates('a'),
    questQueries.ownStates('b'),
    questQueries.ofProject('a'),
    questQueries.ofProject('b'),
    questQueries.own('a'),
    questQueries.own('b'),
    questQueries.taskCounts(['a']),
    questQueries.taskCounts(['b']),
  ].map(({ queryKey }) => queryKey as readonly unknown[]);
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  expect(keys.every(([first]) => first === questQueries.keys.all[0])).toBe(true);
});

it('a refusal does not trigger the fallback', async () => {
  fakeApi({ 'rpc list_published_quests': refuse(400, 'SEARCH_TOO_LONG', 'Please use a shorter search') });
  await expect(client().fetchQuery(questQueries.list())).rejects.toMatchObject({ code: 'SEARCH_TOO_LONG' });
});
