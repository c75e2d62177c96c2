import { QueryClient } from '@tanstack/react-query';
import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { pagedRows } from '@/lib/testing/paged-rows';
import { notificationQueries } from './queries';
import { notificationRow } from './testing';

const rows = Array.from({ length: 25 }, (_, index) => notificationRow({ id: 25 - index }));
const route = { 'rpc list_notifications': pagedRows(() => rows) };

describe('inbox queries', () => {
  it('the bell requests the latest eight, including read ones', async () => {
    const api = fakeApi(route);
    expect(idsOf(await fetchQuery(notificationQueries.latest('user_test')))).toEqual([25, 24, 23, 22, 21, 20, 19, 18]);
    expect(api.calls.map(({ method, params }) => [method, Object.fromEntries(params)])).toEqual([
      ['GET', { p_limit: '8', p_only_unread: 'false' }],
    ]);
  });

  it('the page requests 20 at a time, from the cursor of the previous page', async () => {
    const api = fakeApi(route);
    const list = await new QueryClient().fetchInfiniteQuery({
      ...notificationQueries.list('user_test', true),
      pages: 3,
    });
    expect(list.pages.map(({ length }) => length)).toEqual([20, 5]);
    expect(api.calls.map(({ params }) => Object.fromEntries(params))).toEqual([
      { p_limit: '20', p_only_unread: 'true' },
      { p_limit: '20', p_only_unread: 'true', p_cursor: 'after-20' },
    ]);
  });

  it('a notification keeps only the fields of its sentences, and fails without them', async () => {
    const [row] = rows;
    fakeApi({ 'rpc list_notifications': [{ ...row, data: { task: 'Try it', points: 50, secret: 'x' } }] });
    const [read] = await fetchQuery(notificationQueries.latest('user_test'));
    expect(read?.data).toEqual({ task: 'Try it', points: 50 });
    fakeApi({ 'rpc list_notifications': [{ ...row, data: { points: 'many' } }] });
    await expect(fetchQuery(notificationQueries.latest('user_test'))).rejects.toThrow();
  });

  it('the count and the preferences are read by GET', async () => {
    const preferences = [{ kind: 'proof_approved', is_mailed: true }];
    const api = fakeApi({ 'rpc get_unread_notification_count': 3, 'rpc get_notification_preferences': preferences });
    expect(await fetchQuery(notificationQueries.unreadCount('user_test'))).toBe(3);
    expect(await fetchQuery(notificationQueries.preferences('user_test'))).toEqual(preferences);
    expect(api.calls.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it('are cached separately for each person and view', () => {
    const keys = ['a', 'b'].flatMap((userId) => [
      notificationQueries.unreadCount(userId).queryKey,
      notificationQueries.latest(userId).queryKey,
      notificationQueries.list(userId, true).queryKey,
      notificationQueries.list(userId, false).queryKey,
      notificationQueries.preferences(userId).queryKey,
    ]);
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(10);
    expect(keys.every(([first]) => first === notificationQueries.keys.all[0])).toBe(true);
  });
});
