import { QueryClient } from '@tanstack/react-query';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { pagedRows } from '@/lib/testing/paged-rows';
import { transactionPages, transactionRow, walletRow } from '@/lib/testing/rows';
import { availablePoints, fetchWholeHistory, walletQueries } from './queries';

const broken = refuse(500, null, 'out of memory');
const ofProject = walletRow({ id: 'wallet-p', kind: 'startup', user_id: null, startup_id: 'p1', points: 20 });
const reserve = (id: string, points: number, owner_user_id = 'user_test') =>
  walletRow({ id: `reserve-${id}`, kind: 'reserve', user_id: null, campaign_id: id, owner_user_id, points });
const wallets = [
  walletRow({ id: 'wallet-2', user_id: 'user_other', owner_user_id: 'user_other' }),
  ofProject,
  walletRow(),
  reserve('c1', 100),
  reserve('c2', 40),
  reserve('c3', 9, 'user_other'),
];

describe('own wallet', () => {
  it("DB-13 is the member's, and is not created again", async () => {
    const api = fakeApi({ 'GET wallets': wallets });
    expect(await fetchQuery(walletQueries.own('user_test'))).toEqual(walletRow());
    expect(api.calls).toHaveLength(1);
  });

  it('DB-13 is created when it is missing', async () => {
    const api = fakeApi({ 'GET wallets': [wallets[0]] });
    api.routes['rpc sync_current_user'] = () => {
      api.routes['GET wallets'] = [wallets[0], walletRow({ points: 0 })];
      return { user_id: 'user_test' };
    };
    await expect(fetchQuery(walletQueries.own('user_test'))).resolves.toMatchObject({ id: 'wallet-1', points: 0 });
    expect(api.calls.map(({ path }) => path)).toEqual(['wallets', 'rpc/sync_current_user', 'wallets']);
  });

  it("ERR-02 failures read 'Failed to fetch wallet' and 'Failed to create wallet'", async () => {
    const api = fakeApi({ 'GET wallets': broken, 'rpc sync_current_user': broken });
    const failed = { code: 'WALLET_FETCH_FAILED', message: 'Failed to fetch wallet' };
    await expect(fetchQuery(walletQueries.own('user_test'))).rejects.toMatchObject(failed);
    await expect(fetchQuery(walletQueries.project('p1'))).rejects.toMatchObject(failed);
    api.routes['GET wallets'] = [];
    await expect(fetchQuery(walletQueries.own('user_test'))).rejects.toMatchObject({
      code: 'WALLET_CREATE_FAILED',
      message: 'Failed to create wallet',
    });
  });
});

it("C-03 SWAL-01 a project's wallet is its own, null when there is none", async () => {
  fakeApi({ 'GET wallets': wallets });
  expect(await fetchQuery(walletQueries.project('p1'))).toEqual(ofProject);
  expect(await fetchQuery(walletQueries.project('p2'))).toBeNull();
});

describe('transactions of a wallet', () => {
  const mine = Array.from({ length: 120 }, (_, index) => transactionRow({ id: index + 1 }));
  const all = [...mine, transactionRow({ id: 500, wallet_id: 'wallet-2' })];
  const newest = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

  it('DB-13 are the last 50, newest first', async () => {
    fakeApi({ 'rpc list_transactions': transactionPages(all) });
    expect(idsOf(await fetchQuery(walletQueries.latestTransactions('wallet-1')))).toEqual(newest(120, 71));
  });

  it('are read page by page to the first one', async () => {
    fakeApi({ 'rpc list_transactions': transactionPages(all) });
    const read = { ...walletQueries.transactionPages('wallet-1'), pages: 5 };
    const { pages } = await new QueryClient().fetchInfiniteQuery(read);
    expect(pages.map(idsOf)).toEqual([newest(120, 71), newest(70, 21), newest(20, 1)]);
  });

  it('after exactly 50, the next page is requested', async () => {
    const api = fakeApi({ 'rpc list_transactions': transactionPages(mine.slice(0, 50)) });
    const read = { ...walletQueries.transactionPages('wallet-1'), pages: 5 };
    expect((await new QueryClient().fetchInfiniteQuery(read)).pages).toHaveLength(2);
    expect(api.calls).toHaveLength(2);
  });
});

it('all wallet queries are invalidated together and cached separately', () => {
  const keys = [
    walletQueries.own('a'),
    walletQueries.own('b'),
    walletQueries.project('a'),
    walletQueries.project('b'),
    walletQueries.latestTransactions('a'),
    walletQueries.latestTransactions('b'),
    walletQueries.transactionPages('a'),
    walletQueries.transactionPages('b'),
    walletQueries.ownTransactionPages('a', 'all'),
    walletQueries.ownTransactionPages('b', 'all'),
    walletQueries.ownTransactionPages('a', 'quests'),
    walletQueries.holds('a'),
    walletQueries.holds('b'),
  ].map(({ queryKey }) => queryKey as readonly unknown[]);
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  expect(keys.every(([first]) => first === walletQueries.keys.all[0])).toBe(true);
});

describe('BEY-06 one’s own history', () => {
  const rows = Array.from({ length: 1001 }, (_, index) => ({ id: index }));

  it('is filtered and paged by the server', async () => {
    const api = fakeApi({ 'rpc list_own_transactions': pagedRows(() => rows) });
    for (const view of ['all', 'bonuses'] as const) {
      const query = walletQueries.ownTransactionPages('user_test', view);
      const list = await new QueryClient().fetchInfiniteQuery({ ...query, pages: 2 });
      expect(list.pages.map(({ length }) => length)).toEqual([50, 50]);
    }
    expect(api.calls.map(({ method, params }) => [method, Object.fromEntries(params)])).toEqual([
      ['GET', { p_limit: '50' }],
      ['GET', { p_limit: '50', p_cursor: 'after-50' }],
      ['GET', { p_view: 'bonuses', p_limit: '50' }],
      ['GET', { p_view: 'bonuses', p_limit: '50', p_cursor: 'after-50' }],
    ]);
  });

  it('is complete in the file', async () => {
    const api = fakeApi({ 'rpc list_own_transactions': pagedRows(() => rows) });
    expect(await fetchWholeHistory()).toHaveLength(1001);
    expect(api.calls.map(({ params }) => params.get('p_limit'))).toEqual(['1000', '1000']);
  });
});

it('TRUST-16 C-80 held points are read with their reason, newest first, and are not available', async () => {
  const hold = (id: number, overrides: object = {}) => ({
    id,
    reason: 'trial',
    points: id,
    due_at: null,
    wallet_id: 'wallet-1',
    released_at: null,
    reversed_at: null,
    transfers: { kind: 'task_completion', description: 'Task' },
    ...overrides,
  });
  const api = fakeApi({
    'GET point_holds': [
      hold(1, { reason: 'referral' }),
      hold(2),
      hold(3, { wallet_id: 'wallet-2' }),
      hold(4, { released_at: '2026-01-01' }),
      hold(5, { reversed_at: '2026-01-01' }),
    ],
  });
  const holds = await fetchQuery(walletQueries.holds('wallet-1'));
  expect(holds.map(({ id, reason, kind, description }) => [id, reason, kind, description])).toEqual([
    [2, 'trial', 'task_completion', 'Task'],
    [1, 'referral', 'task_completion', 'Task'],
  ]);
  expect(api.calls[0]?.params.get('limit')).toBe('50');
  expect(availablePoints({ points: 100, held_points: 30 })).toBe(70);
});
