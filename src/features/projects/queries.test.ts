import { QueryClient } from '@tanstack/react-query';
import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { pagedRows } from '@/lib/testing/paged-rows';
import { projectQueries } from './queries';
import { projectId, projectRow, subscription } from './testing';

const projects = [
  projectRow({ id: 'other', owner_user_id: 'user_other', created_at: '2026-01-06T12:00:00Z' }),
  projectRow({ id: 'pending', owner_user_id: 'user_new', status: 'pending', created_at: '2026-01-09T12:00:00Z' }),
  projectRow({ id: 'twin-b', owner_user_id: 'user_b', created_at: '2026-01-08T12:00:00Z' }),
  projectRow({ id: 'twin-a', owner_user_id: 'user_a', created_at: '2026-01-08T12:00:00Z' }),
  projectRow(),
];

describe('projects', () => {
  beforeEach(() => void fakeApi({ 'GET startup_profiles': projects }));

  it("the own one is the user's", async () => {
    expect(await fetchQuery(projectQueries.own('user_test'))).toEqual(projectRow());
    fakeApi({ 'rpc get_own_startup': [] });
    expect(await fetchQuery(projectQueries.own('user_test'))).toBeNull();
  });

  it('one is read by its id', async () => {
    expect(await fetchQuery(projectQueries.detail('other'))).toMatchObject({ id: 'other' });
    expect(await fetchQuery(projectQueries.detail('missing'))).toBeNull();
  });

  it('HUB-02 the public ones are verified, newest first', async () => {
    expect(idsOf(await fetchQuery(projectQueries.verified()))).toEqual(['twin-b', 'twin-a', 'other', projectId]);
  });

  it('HUB-02 the public ones are all of them, also when the API needs several pages', async () => {
    const many = Array.from({ length: 2500 }, (_, index) => projectRow({ id: `p${String(index).padStart(4, '0')}` }));
    const api = fakeApi({ 'GET startup_profiles': many });
    expect(new Set(idsOf(await fetchQuery(projectQueries.verified()))).size).toBe(2500);
    expect(api.calls).toHaveLength(3);
  });

  it('BEY-12 are found by a part of the name, the verified ones alone', async () => {
    fakeApi({
      'GET startup_profiles': [
        projectRow({ id: 'b', name: 'Tea 100% pure' }),
        projectRow({ id: 'a', name: 'A 100% PURE soap' }),
        projectRow({ id: 'pending', name: '100% pure', status: 'pending' }),
        projectRow({ id: 'c', name: 'Tea 1000 pure' }),
      ],
    });
    expect(idsOf(await fetchQuery(projectQueries.named('100% pure', 5)))).toEqual(['a', 'b']);
    expect(idsOf(await fetchQuery(projectQueries.named('100% pure', 1)))).toEqual(['a']);
  });

  it('are cached separately', () => {
    const keys = [
      projectQueries.own('a'),
      projectQueries.own('b'),
      projectQueries.detail('a'),
      projectQueries.detail('b'),
      projectQueries.verified(),
      projectQueries.named('a', 5),
      projectQueries.named('b', 5),
      projectQueries.subscription('a'),
      projectQueries.subscription('b'),
    ].map(({ queryKey }) => queryKey);
    expect(new Set(keys.map(String)).size).toBe(keys.length);
    expect(keys.every(([first]) => first === projectQueries.keys.all[0])).toBe(true);
  });
});

it('BEY-18 followed projects are known by id and listed by page, and visitors request nothing', async () => {
  const rows = Array.from({ length: 21 }, (_, index) => ({ id: `p${index}` }));
  const api = fakeApi({
    'GET followed_projects': [{ startup_id: 'p1' }, { startup_id: 'p2' }],
    'rpc list_followed_projects': pagedRows(() => rows),
  });
  expect(await fetchQuery(projectQueries.followed('user_test'))).toEqual(['p1', 'p2']);
  const list = await new QueryClient().fetchInfiniteQuery({ ...projectQueries.followedList('user_test'), pages: 3 });
  expect(list.pages.map(({ length }) => length)).toEqual([20, 1]);
  expect(api.calls.slice(1).map(({ method, params }) => [method, Object.fromEntries(params)])).toEqual([
    ['GET', { p_limit: '20' }],
    ['GET', { p_limit: '20', p_cursor: 'after-20' }],
  ]);
  expect([projectQueries.followed('').enabled, projectQueries.followed('a').enabled]).toEqual([false, true]);
});

it("BEY-05 a project's promises are read by GET, and null if it is not public", async () => {
  const api = fakeApi({ 'rpc get_project_promises': [{ decided: 12 }] });
  expect(await fetchQuery(projectQueries.promises('p1'))).toEqual({ decided: 12 });
  expect([api.calls[0]?.method, api.calls[0]?.params.get('p_startup_id')]).toEqual(['GET', 'p1']);
  api.routes['rpc get_project_promises'] = [];
  expect(await fetchQuery(projectQueries.promises('p1'))).toBeNull();
});

it('C-20 a plan just paid for is polled every few seconds, until it is active', () => {
  const { refetchInterval } = projectQueries.newSubscription('p1');
  const intervalWith = (data: unknown) =>
    typeof refetchInterval === 'function' &&
    refetchInterval({ state: { status: 'success', error: null, data } } as never);
  expect(intervalWith(null)).toBeLessThanOrEqual(3300);
  expect(intervalWith(null)).toBeGreaterThan(0);
  expect(intervalWith(subscription())).toBe(false);
});

describe("SUBS-07 a project's subscription", () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const read = (...rows: ReturnType<typeof subscription>[]) => {
    fakeApi({ 'GET subscriptions': rows });
    return fetchQuery(projectQueries.subscription(projectId));
  };

  it.each([
    ['without an end', null],
    ['whose period ends tomorrow', inDays(1)],
  ])('is one %s', async (_, current_period_end) => {
    const row = subscription({ current_period_end });
    expect(await read(row)).toEqual(row);
  });

  it.each([
    ['is cancelled', { status: 'cancelled' }],
    ['ended yesterday', { current_period_end: inDays(-1) }],
    ['is of another plan', { plan_id: 'enterprise' }],
    ['is of another project', { startup_id: 'other' }],
  ] as const)('is none that %s', async (_, overrides) => {
    expect(await read(subscription(overrides))).toBeNull();
  });

  it('is one of several', async () => {
    const [first, second] = [subscription(), subscription({ id: 'sub-2' })];
    expect(await read(first, second)).toEqual(first);
  });
});
