import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { questQueries } from './queries';

const missing = refuse(404, null, 'Could not find the function in the schema cache');
const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

it('QUEST-07 maps completions by task and asks again every minute', async () => {
  const api = fakeApi({
    'rpc get_task_completion_counts': [{ task_id: 't1', completions: 3, pending: 1, remaining_slots: 6 }],
  });
  const query = questQueries.taskCounts(['t1', 't2']);
  expect(await client().fetchQuery(query)).toEqual({ t1: { approved_count: 3, pending_count: 1 } });
  expect(api.calls[0]).toMatchObject({ method: 'GET', path: 'rpc/get_task_completion_counts' });
  expect(api.calls[0]?.params.get('p_task_ids')).toBe('{t1,t2}');

  // A minute, give or take the jitter that spreads the crowd.
  vi.useFakeTimers();
  const stop = new QueryObserver(client(), query).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(53_000);
  expect(api.calls).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(api.calls).toHaveLength(3);
  stop();
  vi.useRealTimers();
});

it('DB-28 reads the tables where the procedures are missing', async () => {
  const api = fakeApi({
    'rpc list_published_quests': missing,
    'rpc get_quest_completion_stats': missing,
    'rpc get_task_completion_counts': missing,
    'GET tasks': [{ id: 't1', approved_count: 3, pending_count: 1 }],
    'GET campaigns': [
      {
        id: 'q1',
        title: 'Tea',
        task_count: 2,
        task_reward_sum: 90,
        total_slots: 20,
        open_slots: 15,
        approved_count: 5,
        created_at: '2026-01-01T00:00:00Z',
        published_at: '2026-01-02T00:00:00Z',
        startup_profiles: { name: 'Mossworks', logo_url: null, status: 'verified' },
      },
    ],
  });
  const [quest] = await client().fetchQuery(
    questQueries.list({ search: '50% "off"', sort: 'reward', isOnlyOpen: true }),
  );
  expect(quest).toMatchObject({ id: 'q1', startup_name: 'Mossworks', startup_verified: true, average_reward: 45 });
  const params = api.calls.at(-1)?.params;
  expect(params?.get('status')).toBe('eq.published');
  expect(params?.get('open_slots')).toBe('gt.0');
  expect(params?.get('order')).toBe('budget_points.desc,id.asc');
  expect(params?.get('or')).toBe(String.raw`(title.ilike."%50\\% \"off\"%",summary.ilike."%50\\% \"off\"%")`);

  expect(await client().fetchQuery(questQueries.stats(['q1']))).toEqual({
    q1: { total_slots: 20, available_slots: 15, completed_slots: 5, is_quest_full: false },
  });
  expect(await client().fetchQuery(questQueries.taskCounts(['t1']))).toEqual({
    t1: { approved_count: 3, pending_count: 1 },
  });
});

it('does not take a refusal for a missing procedure', async () => {
  fakeApi({ 'rpc list_published_quests': refuse(400, 'SEARCH_TOO_LONG', 'Please use a shorter search') });
  await expect(client().fetchQuery(questQueries.list())).rejects.toMatchObject({ code: 'SEARCH_TOO_LONG' });
});
