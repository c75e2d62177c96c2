import { QueryClient } from '@tanstack/react-query';
import { type ApiCall, fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { projectRow, questRow, submissionRow } from '@/lib/testing/quest-rows';
import { profileRow } from '@/lib/testing/rows';
import { fetchProjects, fetchQuests, fetchSubmissions, fetchUsers, platformQueries } from './data/queries';
import { adminFeedbackQueries, fetchAllFeedback } from './feedback/queries';
import { type ListFilters, type pagedList, pageSize } from './list/paged-list';
import { adminMailingQueries, fetchAllSubscribers, mailQueries } from './mail/queries';
import { adminQuestQueries, adminSubmissionQueries, appealQueries, projectQueries } from './moderation/queries';
import { adminReferralQueries, peopleQueries } from './people/queries';
import { adminRedemptionQueries, adminRewardQueries, paymentQueries } from './points/queries';
import { adminQueries, auditQueries, searchQuery } from './queries';
import { fetchPublicPages } from './settings/queries';
import { adminTodo, platformStats } from './testing/figures';

const all: ListFilters = { search: '', status: null, sort: 'newest' };
const some: ListFilters = { search: `  ${'x'.repeat(101)} `, status: 'held', sort: 'oldest' };

/** The length of each page. */
const readPages = async <Row>(options: ReturnType<typeof pagedList<Row>>): Promise<number[]> =>
  (await new QueryClient().fetchInfiniteQuery({ ...options, pages: 5 })).pages.map(({ length }) => length);

describe('paged lists', () => {
  const rows = (from: number, length: number) =>
    Array.from({ length }, (_, index) => ({
      id: from + index,
      cursor: `cursor-${from + index}`,
      // What a redemption row contains.
      address: null,
      sources: null,
    }));

  /** The parameters of both requests of a list with one row more than a page. */
  async function requests(name: string, read: () => Promise<number[]>) {
    const isSecond = (params: URLSearchParams) => params.has('p_cursor');
    const api = fakeApi({
      [`rpc admin_list_${name}`]: ({ params }: ApiCall) => (isSecond(params) ? rows(21, 1) : rows(1, pageSize)),
    });
    expect(await read()).toEqual([20, 1]);
    expect(api.calls.map(({ method }) => method)).toEqual(['GET', 'GET']);
    return api.calls.map(({ params }) => Object.fromEntries(params));
  }

  it.each([
    ['startups', (filters: ListFilters) => readPages(projectQueries.list(filters)), ['p_sort', 'p_status']],
    ['campaigns', (filters: ListFilters) => readPages(adminQuestQueries.list(filters)), ['p_sort', 'p_status']],
    ['submissions', (filters: ListFilters) => readPages(adminSubmissionQueries.list(filters)), ['p_sort', 'p_status']],
    ['subscribers', (filters: ListFilters) => readPages(adminMailingQueries.list(filters)), ['p_sort', 'p_status']],
    ['feedback', (filters: ListFilters) => readPages(adminFeedbackQueries.list(filters, null)), ['p_sort', 'p_status']],
    ['redemptions', (filters: ListFilters) => readPages(adminRedemptionQueries.list(filters)), ['p_status']],
    ['users', (filters: ListFilters) => readPages(peopleQueries.list(filters)), ['p_sort']],
  ] as const)('%s are narrowed, sorted and read on by the server', async (name, read, choices) => {
    const only = (params: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(params).filter(
          ([key]) => !['p_sort', 'p_status'].includes(key) || choices.some((choice) => choice === key),
        ),
      );
    const plain = only({ p_sort: 'newest', p_limit: '20' });
    expect(await requests(name, () => read(all))).toEqual([plain, { ...plain, p_cursor: 'cursor-20' }]);
    const [first] = await requests(name, () => read(some));
    expect(first).toEqual(only({ p_search: 'x'.repeat(100), p_status: 'held', p_sort: 'oldest', p_limit: '20' }));
  });

  it('ADMIN-05 feedback is filtered by type', async () => {
    const [first] = await requests('feedback', () => readPages(adminFeedbackQueries.list(all, 'bug')));
    expect(first).toMatchObject({ p_type: 'bug' });
  });

  it('BEY-04 the audit log is filtered by name and kind, and paged by cursor', async () => {
    const plain = { p_limit: '20' };
    expect(await requests('audit', () => readPages(auditQueries.list('', null)))).toEqual([
      plain,
      { ...plain, p_cursor: 'cursor-20' },
    ]);
    const [first] = await requests('audit', () => readPages(auditQueries.list(some.search, 'reward')));
    expect(first).toEqual({ ...plain, p_search: 'x'.repeat(100), p_subject_type: 'reward' });
  });

  it('mails are filtered by state, and paged by cursor', async () => {
    const plain = { p_limit: '20' };
    expect(await requests('outbox', () => readPages(mailQueries.list(null)))).toEqual([
      plain,
      { ...plain, p_cursor: 'cursor-20' },
    ]);
    const [first] = await requests('outbox', () => readPages(mailQueries.list('failed')));
    expect(first).toEqual({ ...plain, p_state: 'failed' });
  });

  it('BEY-20 BEY-23 returned payments and appeals are filtered by state, and paged by cursor', async () => {
    for (const [name, query, state] of [
      ['returned_payments', paymentQueries.returned, 'p_state'],
      ['appeals', appealQueries.list, 'p_status'],
    ] as const) {
      expect(await requests(name, () => readPages<object>(query({ status: 'open' }) as never))).toEqual([
        { [state]: 'open', p_limit: '20' },
        { [state]: 'open', p_limit: '20', p_cursor: 'cursor-20' },
      ]);
      expect(await requests(name, () => readPages<object>(query({ status: null }) as never))).toMatchObject([
        { p_limit: '20' },
        { p_limit: '20' },
      ]);
    }
  });

  it('after exactly one full page, the next one is requested', async () => {
    fakeApi({ 'rpc admin_list_startups': ({ params }: ApiCall) => (params.has('p_cursor') ? [] : rows(1, pageSize)) });
    expect(await readPages(projectQueries.list(all))).toEqual([20, 0]);
    fakeApi({ 'rpc admin_list_startups': [] });
    expect(await readPages(projectQueries.list(all))).toEqual([0]);
  });

  it('are cached separately for each filter', () => {
    const keys = [
      ...[
        projectQueries,
        adminQuestQueries,
        adminSubmissionQueries,
        adminMailingQueries,
        adminRedemptionQueries,
        peopleQueries,
      ].flatMap(({ list }) => [list(all).queryKey, list(some).queryKey]),
      adminFeedbackQueries.list(all, null).queryKey,
      adminFeedbackQueries.list(all, 'bug').queryKey,
      auditQueries.list('', null).queryKey,
      auditQueries.list('x', null).queryKey,
      auditQueries.list('', 'reward').queryKey,
      mailQueries.list(null).queryKey,
      mailQueries.list('failed').queryKey,
      peopleQueries.profile('a').queryKey,
      peopleQueries.profile('b').queryKey,
      peopleQueries.wallets('a').queryKey,
      peopleQueries.wallets('b').queryKey,
      platformQueries.stats(7).queryKey,
      platformQueries.stats(30).queryKey,
      platformQueries.activity(7).queryKey,
      platformQueries.activity(30).queryKey,
      adminFeedbackQueries.stats().queryKey,
      adminMailingQueries.stats().queryKey,
      adminReferralQueries.report().queryKey,
      adminReferralQueries.health().queryKey,
      adminRewardQueries.all().queryKey,
      adminQueries.todo().queryKey,
    ];
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
    expect(new Set(keys.map(([first]) => first))).toEqual(new Set(['admin']));
  });
});

it('C-93 redemptions are filtered by delivery, and include their address', async () => {
  const address = { name: 'A', street: 'B', extra: '', postal_code: '', city: 'C', region: '', country: 'AT' };
  const api = fakeApi({ 'rpc admin_list_redemptions': [{ id: 'r1', cursor: 'c', address, sources: null }] });
  const { pages } = await new QueryClient().fetchInfiniteQuery(
    adminRedemptionQueries.list({ ...all, delivery: 'post' }),
  );
  expect(pages).toEqual([[{ id: 'r1', cursor: 'c', address, sources: null }]]);
  expect(api.calls[0]?.params.get('p_delivery')).toBe('post');
  api.routes['rpc admin_list_redemptions'] = [{ id: 'r1', cursor: 'c', address: { name: 1 }, sources: null }];
  await expect(new QueryClient().fetchInfiniteQuery(adminRedemptionQueries.list(all))).rejects.toThrow();
});

describe('figures', () => {
  it('ADMIN-02 DATA-01 DATA-04 are requested by GET, for the chosen days', async () => {
    const api = fakeApi({
      'rpc get_admin_todo': adminTodo(),
      'rpc get_platform_stats': platformStats(),
      'rpc get_recent_activity': [],
    });
    expect(await fetchQuery(adminQueries.todo())).toEqual(adminTodo());
    expect(await fetchQuery(platformQueries.stats(7))).toEqual(platformStats());
    expect(await fetchQuery(platformQueries.activity(90))).toEqual([]);
    expect(api.calls.map(({ method, params }) => [method, params.get('p_days')])).toEqual([
      ['GET', null],
      ['GET', '7'],
      ['GET', '90'],
    ]);
  });

  it('fail on an unexpected shape', async () => {
    const { totals: _, ...broken } = platformStats();
    fakeApi({
      'rpc get_admin_todo': { ...adminTodo(), held_campaigns: '3' },
      'rpc get_platform_stats': broken,
      'rpc get_mailing_list_stats': { total_subscribers: 1 },
      'rpc get_beta_feedback_stats': { total: 1 },
      'rpc get_admin_referral_stats': { overview: {} },
    });
    await expect(fetchQuery(adminQueries.todo())).rejects.toThrow('held_campaigns');
    await expect(fetchQuery(platformQueries.stats(7))).rejects.toThrow('totals');
    await expect(fetchQuery(adminMailingQueries.stats())).rejects.toThrow('recent_subscribers');
    await expect(fetchQuery(adminFeedbackQueries.stats())).rejects.toThrow('average_rating');
    await expect(fetchQuery(adminReferralQueries.report())).rejects.toThrow('total_referral_codes');
  });

  it('ADMIN-10 a platform without referrals is healthy', async () => {
    const api = fakeApi({ 'rpc get_referral_system_health': [] });
    const healthy = { health_score: 100, users_without_codes: 0, failed_referrals: 0 };
    expect(await fetchQuery(adminReferralQueries.health())).toEqual(healthy);
    api.routes['rpc get_referral_system_health'] = [{ ...healthy, health_score: 7 }];
    expect(await fetchQuery(adminReferralQueries.health())).toEqual({ ...healthy, health_score: 7 });
    expect(api.calls.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });
});

it('C-91 C-97 a project is read with its latest quests and earlier decisions, by GET', async () => {
  const api = fakeApi({
    'rpc admin_list_startups': [{ id: 'p1' }],
    'rpc admin_list_campaigns': [{ id: 'q1' }],
    'rpc get_project_history': [{ action: 'startup.verified' }],
  });
  expect(await fetchQuery(projectQueries.detail('p1'))).toEqual({ id: 'p1' });
  expect(await fetchQuery(projectQueries.quests('p1'))).toEqual([{ id: 'q1' }]);
  expect(await fetchQuery(projectQueries.history('p1'))).toEqual([{ action: 'startup.verified' }]);
  expect(api.calls.map(({ method, params }) => [method, Object.fromEntries(params)])).toEqual([
    ['GET', { p_startup_id: 'p1' }],
    ['GET', { p_startup_id: 'p1', p_limit: '20' }],
    ['GET', { p_startup_id: 'p1' }],
  ]);
  api.routes['rpc admin_list_startups'] = [];
  expect(await fetchQuery(projectQueries.detail('gone'))).toBeNull();
});

it('a search runs on the server, by GET, and only with a term', async () => {
  const api = fakeApi({ 'rpc admin_search': [{ id: 'user_robin' }] });
  expect(await fetchQuery(searchQuery('robin'))).toEqual([{ id: 'user_robin' }]);
  expect([api.calls[0]?.method, api.calls[0]?.params.get('p_search')]).toEqual(['GET', 'robin']);
  expect([searchQuery('').enabled, searchQuery('robin').enabled]).toEqual([false, true]);
});

it('BEY-23 appeal figures are one row, read by GET', async () => {
  const api = fakeApi({ 'rpc get_appeal_figures': { upheld: 3, overturned: 1 } });
  expect(await fetchQuery(appealQueries.figures())).toEqual({ upheld: 3, overturned: 1 });
  expect(api.calls[0]?.method).toBe('GET');
});

it('C-108 point movements are summed by the server, by POST, and fail on an unexpected shape', async () => {
  const transfers = {
    total_transfers: 1,
    total_points: 50,
    by_kind: [{ kind: 'task_completion', transfers: 1, points: 50 }],
    balances: { members: 50, startups: 0, reserves: 0 },
  };
  const api = fakeApi({ 'rpc get_points_transfer_stats': transfers });
  expect(await fetchQuery(platformQueries.transfers())).toEqual(transfers);
  expect(api.calls[0]?.method).toBe('POST');
  api.routes['rpc get_points_transfer_stats'] = { ...transfers, by_kind: [{}] };
  await expect(fetchQuery(platformQueries.transfers())).rejects.toThrow();
});

it('SEC-10 all rewards are listed, including inactive ones, in the order of creation', async () => {
  fakeApi({
    'GET rewards': [
      { id: 'new', is_active: true, created_at: '2026-01-03T00:00:00Z' },
      { id: 'b', is_active: false, created_at: '2026-01-01T00:00:00Z' },
      { id: 'a', is_active: true, created_at: '2026-01-01T00:00:00Z' },
    ],
  });
  expect(idsOf(await fetchQuery(adminRewardQueries.all()))).toEqual(['a', 'b', 'new']);
});

describe('exports', () => {
  const since = '2026-02-01T00:00:00.000Z';
  const before = '2026-01-31T23:59:59.999999+00:00';
  /** 1001 rows with the same time, distinguished only by their ids, one later and one too early. */
  const ids = Array.from({ length: 1001 }, (_, index) => `r${String(index).padStart(4, '0')}`);
  const created = <Row>(row: (overrides: { id: string; created_at: string }) => Row): Row[] => [
    row({ id: 'a-late', created_at: '2026-02-02T00:00:00.000001+00:00' }),
    row({ id: 'early', created_at: before }),
    ...ids.toReversed().map((id) => row({ id, created_at: since })),
  ];
  const expected = [...ids, 'a-late'];
  const heard: number[] = [];
  const hear = (count: number) => void heard.push(count);
  beforeEach(() => void heard.splice(0));

  it('C-53 members are those who joined since then, oldest first, without a limit', async () => {
    fakeApi({ 'GET user_profiles': created(profileRow) });
    const users = await fetchUsers(since, hear);
    expect(idsOf(users)).toEqual(expected);
    expect(heard).toEqual([1000, 1002]);
    expect(Object.keys(users[0] ?? {})).toEqual([
      'id',
      'user_id',
      'username',
      'display_name',
      'email',
      'role',
      'og_badge',
      'suspended_at',
      'created_at',
    ]);
  });

  it("quests are those created since then, with their project's name", async () => {
    fakeApi({
      'GET campaigns': created((row) => ({
        ...questRow(row),
        startup_profiles: { name: 'Lumen', status: 'verified' },
      })),
    });
    const quests = await fetchQuests(since, hear);
    expect(idsOf(quests)).toEqual(expected);
    expect(quests[0]?.startup_profiles).toEqual({ name: 'Lumen' });
  });

  it('projects are those created since then', async () => {
    const row = (id: string, created_at: string) => ({
      id,
      created_at,
      owner_user_id: 'user_1',
      cursor: `after ${id}`,
    });
    const young = Array.from({ length: 100 }, (_, index) => row(`young ${index}`, '2026-02-02T00:00:00+00:00'));
    const pages: Record<string, unknown> = {
      '': young,
      'after young 99': [row('first', since), row('early', before), row('earlier', before)],
    };
    const api = fakeApi({ 'rpc admin_list_startups': ({ params }: ApiCall) => pages[params.get('p_cursor') ?? ''] });
    const projects = await fetchProjects(since, hear);
    expect(idsOf(projects)).toEqual(['first', ...young.map(({ id }) => id).reverse()]);
    // Newest first, so that it ends with the first page that reaches back too far.
    expect(api.calls.map(({ params }) => params.get('p_sort'))).toEqual(['newest', 'newest']);
  });

  it('submissions are read day by day until now, each once', async () => {
    vi.setSystemTime('2026-02-03T12:00:00.000Z');
    const row = (id: string, submitted_at: string) => ({
      ...submissionRow({ id, submitted_at }),
      tasks: { title: 'Read' },
    });
    const api = fakeApi({
      'GET submissions': [
        row('today', '2026-02-03T11:59:59+00:00'),
        row('midnight', '2026-02-02T00:00:00+00:00'),
        ...ids.map((id) => row(id, since)),
        row('early', before),
      ],
    });
    const submissions = await fetchSubmissions(since, hear);
    expect(idsOf(submissions)).toEqual([...ids, 'midnight', 'today']);
    expect(heard).toEqual([1000, 1001, 1002, 1003]);
    expect(submissions[0]).toMatchObject({ user_id: 'user_test', tasks: { title: 'Read' } });
    expect(api.calls).toHaveLength(4);
  });

  it('ADMIN-08 subscribers are complete, newest first', async () => {
    const row = (id: string, subscribed_at: string) => ({ id, subscribed_at, email: `${id}@example.org` });
    fakeApi({ 'GET mailing_list': [row('z-early', before), ...ids.map((id) => row(id, since))] });
    expect(idsOf(await fetchAllSubscribers(hear))).toEqual([...ids.toReversed(), 'z-early']);
    expect(heard).toEqual([1000, 1002]);
  });

  it('ADMIN-05 feedback is complete, newest first', async () => {
    const row = (id: string, created_at: string) => ({ id, created_at, title: id });
    fakeApi({ 'GET beta_feedback': [row('z-early', before), ...ids.map((id) => row(id, since))] });
    expect(idsOf(await fetchAllFeedback(hear))).toEqual([...ids.toReversed(), 'z-early']);
    expect(heard).toEqual([1000, 1002]);
  });

  it('C-54 the sitemap has every published quest and every verified project', async () => {
    fakeApi({
      'GET campaigns': [questRow({ id: 'draft', status: 'draft' }), ...ids.map((id) => questRow({ id }))],
      'GET startup_profiles': [
        projectRow({ id: 'pending', status: 'pending' }),
        projectRow({ id: 'p2' }),
        projectRow({ id: 'p1' }),
      ],
    });
    const pages = await fetchPublicPages(hear);
    expect(pages).toHaveLength(1003);
    expect(pages[0]).toEqual({ path: '/browse/quest/r0000', updatedAt: questRow().updated_at });
    expect(pages.map(({ path }) => path).slice(1000)).toEqual([
      '/browse/quest/r1000',
      '/community/project/p1',
      '/community/project/p2',
    ]);
    expect(heard).toEqual([1000, 1001, 1003]);
  });
});
