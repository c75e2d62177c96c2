import { QueryClient } from '@tanstack/react-query';
import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery } from '@/lib/testing/fetch-query';
import { pagedRows } from '@/lib/testing/paged-rows';
import { checkoutQueries } from './queries';

it('C-21 returns the number of free slots, and null if the server has none', async () => {
  const api = fakeApi({ 'rpc get_og_slots': [{ total_slots: 100, remaining_slots: 7 }] });
  expect(await fetchQuery(checkoutQueries.slots())).toEqual({ total: 100, remaining: 7 });
  api.routes['rpc get_og_slots'] = [];
  expect(await fetchQuery(checkoutQueries.slots())).toBeNull();
  expect(api.calls.map(({ method }) => method)).toEqual(['GET', 'GET']);
});

it('C-110 payments are read page by page, by GET', async () => {
  const rows = Array.from({ length: 21 }, (_, index) => ({ id: `pay${index}` }));
  const api = fakeApi({ 'rpc list_own_payments': pagedRows(() => rows) });
  const list = await new QueryClient().fetchInfiniteQuery({ ...checkoutQueries.payments('user_test'), pages: 3 });
  expect(list.pages.map(({ length }) => length)).toEqual([20, 1]);
  expect(api.calls.map(({ method, params }) => [method, Object.fromEntries(params)])).toEqual([
    ['GET', { p_limit: '20' }],
    ['GET', { p_limit: '20', p_cursor: 'after-20' }],
  ]);
});

it('C-110 a payment just made is polled every few seconds, others twice a minute', () => {
  const shown = { state: { status: 'success', error: null, data: { pages: [[]] } } };
  const intervalOf = (isAwaited?: boolean) => {
    const { refetchInterval } = checkoutQueries.payments('user_test', isAwaited);
    return typeof refetchInterval === 'function' ? refetchInterval(shown as never) : refetchInterval;
  };
  expect(intervalOf(true)).toBeLessThanOrEqual(3300);
  expect(intervalOf()).toBeGreaterThanOrEqual(27_000);
  expect(checkoutQueries.payments('a').queryKey).not.toEqual(checkoutQueries.payments('b').queryKey);
});
