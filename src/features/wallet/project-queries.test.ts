import { QueryClient } from '@tanstack/react-query';
import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery } from '@/lib/testing/fetch-query';
import { pagedRows } from '@/lib/testing/paged-rows';
import { fetchProjectTransactions, projectWalletQueries } from './project-queries';

const rows = Array.from({ length: 1001 }, (_, index) => ({ id: index }));
const route = { 'rpc list_project_transactions': pagedRows(() => rows) };

describe("BEY-06 a project's points", () => {
  it('are the single row of the answer, read by GET', async () => {
    const points = { free_points: 1, reserved_points: 2 };
    const api = fakeApi({ 'rpc get_project_points': points });
    expect(await fetchQuery(projectWalletQueries.points())).toEqual(points);
    expect(api.calls[0]?.method).toBe('GET');
    expect(new Headers(vi.mocked(fetch).mock.calls[0]?.[1]?.headers).get('accept')).toContain('vnd.pgrst.object');
  });

  it('have entries that the server filters and pages', async () => {
    const api = fakeApi(route);
    const read = (filters: Parameters<typeof projectWalletQueries.transactionPages>[0]) =>
      new QueryClient().fetchInfiniteQuery({ ...projectWalletQueries.transactionPages(filters), pages: 2 });
    const list = await read({ view: 'all', questId: null });
    await read({ view: 'payouts', questId: 'q1' });
    expect(list.pages.map(({ length }) => length)).toEqual([50, 50]);
    expect(api.calls.map(({ method, params }) => [method, Object.fromEntries(params)])).toEqual([
      ['GET', { p_limit: '50' }],
      ['GET', { p_limit: '50', p_cursor: 'after-50' }],
      ['GET', { p_view: 'payouts', p_campaign_id: 'q1', p_limit: '50' }],
      ['GET', { p_view: 'payouts', p_campaign_id: 'q1', p_limit: '50', p_cursor: 'after-50' }],
    ]);
  });

  it('are complete in the file, a thousand entries per request', async () => {
    const api = fakeApi(route);
    expect(await fetchProjectTransactions({ view: 'received', questId: null })).toHaveLength(1001);
    expect(api.calls.map(({ params }) => Object.fromEntries(params))).toEqual([
      { p_view: 'received', p_limit: '1000' },
      { p_view: 'received', p_limit: '1000', p_cursor: 'after-1000' },
    ]);
  });

  it('are cached by filter', () => {
    const keyOf = (filters: Parameters<typeof projectWalletQueries.transactionPages>[0]) =>
      projectWalletQueries.transactionPages(filters).queryKey;
    expect(keyOf({ view: 'all', questId: null })).not.toEqual(keyOf({ view: 'all', questId: 'q1' }));
    expect(keyOf({ view: 'all', questId: null })[0]).toBe('wallets');
  });
});
