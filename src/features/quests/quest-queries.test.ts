import { QueryClient } from '@tanstack/react-query';
import { type ApiCall, fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { pagedRows } from '@/lib/testing/paged-rows';
import { fetchCollectedEmails, questQueries } from './queries';
import { type QuestState, toQuestState } from './quest';
import { questId, questRow, taskRow } from './testing/rows';

it('a quest is read by its id, null when there is none', async () => {
  const other = questRow({ id: 'other', title: 'Another' });
  fakeApi({ 'GET campaigns': [questRow(), other] });
  expect(await fetchQuery(questQueries.detail('other'))).toEqual(other);
  expect(await fetchQuery(questQueries.detail('missing'))).toBeNull();
});

it("QUEST-05 DB-07 tasks come in the quest's order, and only its own", async () => {
  fakeApi({
    'GET tasks': [
      taskRow({ id: 'a-third', order_index: 2 }),
      taskRow({ id: 'second-b', order_index: 1 }),
      taskRow({ id: 'foreign', campaign_id: 'other', order_index: 0 }),
      taskRow({ id: 'second-a', order_index: 1 }),
      taskRow({ id: 'z-first', order_index: 0 }),
    ],
  });
  expect(idsOf(await fetchQuery(questQueries.tasks(questId)))).toEqual(['z-first', 'second-a', 'second-b', 'a-third']);
});

it('SDASH-09 all addresses of the quest are read, across several pages', async () => {
  const many = Array.from({ length: 1001 }, (_, index) => ({ id: `e${index}`, email: `e${index}@example.org` }));
  const api = fakeApi({
    'rpc list_collected_emails': pagedRows((params) => (params.get('p_campaign_id') === questId ? many : [])),
  });
  expect(idsOf(await fetchCollectedEmails(questId))).toEqual(idsOf(many));
  expect(api.calls.map(({ params }) => params.get('p_limit'))).toEqual(['1000', '1000']);
  many.pop();
  expect(await fetchCollectedEmails(questId)).toHaveLength(1000);
  expect(api.calls).toHaveLength(4);
});

it('queries of different quests are cached separately', async () => {
  fakeApi({
    'GET campaigns': [questRow(), questRow({ id: 'other' })],
    'GET tasks': [],
  });
  const client = new QueryClient();
  for (const id of [questId, 'other']) {
    await client.fetchQuery(questQueries.detail(id));
    await client.fetchQuery(questQueries.tasks(id));
  }
  expect(client.getQueryCache().findAll({ queryKey: questQueries.keys.all })).toHaveLength(4);
});

it('RULE-14 an ended quest is what the member saw of it, and null for everybody else', async () => {
  const quest = questRow({ status: 'closed' });
  const api = fakeApi({ 'rpc get_participated_quest': [quest], 'rpc get_participated_tasks': [taskRow()] });
  expect(await fetchQuery(questQueries.participated(questId))).toEqual({ quest, tasks: [taskRow()] });
  expect(api.calls.map(({ method, params }) => [method, Object.fromEntries(params)])).toEqual(
    Array(2).fill(['GET', { p_campaign_id: questId }]),
  );
  api.routes['rpc get_participated_quest'] = [];
  api.routes['rpc get_participated_tasks'] = [];
  expect(await fetchQuery(questQueries.participated(questId))).toBeNull();
});

it('limits, verifications and suggestions come from the server, by GET', async () => {
  const api = fakeApi({
    'rpc get_quest_limits': [{ budget_limit: 500 }],
    'rpc get_task_verifications': [{ task_id: 't1' }],
    'rpc list_suggested_quests': [{ id: 'q1' }],
  });
  expect(await fetchQuery(questQueries.limits('user_test'))).toEqual({ budget_limit: 500 });
  expect(await fetchQuery(questQueries.verifications(questId))).toEqual([{ task_id: 't1' }]);
  expect(await fetchQuery(questQueries.suggested('user_test'))).toEqual([{ id: 'q1' }]);
  expect(api.calls.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
  expect(api.calls[1]?.params.get('p_campaign_id')).toBe(questId);
  api.routes['rpc get_quest_limits'] = [];
  expect(await fetchQuery(questQueries.limits('user_test'))).toBeNull();
});

it('BEY-20 the limits are polled every few seconds after a payment', () => {
  const intervalOf = (isAwaited?: boolean) => {
    const { refetchInterval } = questQueries.limits('user_test', isAwaited);
    return typeof refetchInterval === 'function'
      ? refetchInterval({ state: { status: 'success', error: null } } as never)
      : refetchInterval;
  };
  expect(intervalOf(true)).toBeLessThanOrEqual(3300);
  expect(intervalOf()).toBeGreaterThanOrEqual(27_000);
});

const sent = {
  id: 's1',
  task_id: 't1',
  task_title: 'Try it',
  status: 'pending',
  reward_points: 50,
  proof_url: null,
  proof_text: 'Done',
  submitted_at: '2026-01-01T00:00:00Z',
  reviewed_at: null,
  reviewed_by: null,
  rejection_reason: null,
  review_note: null,
  review_due_at: null,
  kept_until: null,
  appealed_at: null,
};

it("BEY-21 the member's started quests come page by page, filtered by state, with the proofs", async () => {
  const rows = Array.from({ length: 21 }, (_, index) => ({ id: `q${index}`, state: 'waiting', submissions: [sent] }));
  const api = fakeApi({
    'rpc list_my_quests': ({ body }: ApiCall) => {
      const { p_cursor = '0' } = body as { p_cursor?: string };
      return rows.slice(Number(p_cursor), Number(p_cursor) + 20).map((row) => ({ ...row, cursor: '20' }));
    },
  });
  const read = async (...states: QuestState[]) => {
    const list = await new QueryClient().fetchInfiniteQuery({ ...questQueries.mine('user_test', states), pages: 3 });
    return list.pages;
  };
  const pages = await read('waiting', 'rejected');
  expect(pages.map(({ length }) => length)).toEqual([20, 1]);
  expect(pages[0]?.[0]).toMatchObject({ id: 'q0', state: 'waiting', submissions: [sent] });
  await read();
  expect(api.calls.map(({ body }) => body)).toEqual([
    { p_states: ['waiting', 'rejected'], p_limit: 20 },
    { p_states: ['waiting', 'rejected'], p_limit: 20, p_cursor: '20' },
    { p_limit: 20 },
    { p_limit: 20, p_cursor: '20' },
  ]);
});

it.each([
  ['a state', { state: 'paused', submissions: [] }],
  ['a proof status', { state: 'waiting', submissions: [{ ...sent, status: 'lost' }] }],
])('fails on %s that it does not know, rather than showing something wrong', async (_, row) => {
  fakeApi({ 'rpc list_my_quests': [{ id: 'q1', ...row }] });
  await expect(new QueryClient().fetchInfiniteQuery(questQueries.mine('user_test'))).rejects.toThrow();
});

it('knows the five states by name, and names an unknown one', () => {
  const names = ['started', 'waiting', 'rejected', 'complete', 'closed'];
  expect(names.map(toQuestState)).toEqual(names);
  expect(() => toQuestState('paused')).toThrow('unknown quest state paused');
});

it("saved quests are the member's, by id and as a list, and visitors request nothing", async () => {
  const rows = Array.from({ length: 21 }, (_, index) => ({ id: `q${index}` }));
  const api = fakeApi({
    'GET saved_quests': [{ campaign_id: 'q1' }, { campaign_id: 'q2' }],
    'rpc list_saved_quests': pagedRows(() => rows),
  });
  expect(await fetchQuery(questQueries.savedIds('user_test'))).toEqual(['q1', 'q2']);
  const list = await new QueryClient().fetchInfiniteQuery({ ...questQueries.saved('user_test'), pages: 3 });
  expect(list.pages.map(({ length }) => length)).toEqual([20, 1]);
  expect(api.calls.slice(1).map(({ method, params }) => [method, Object.fromEntries(params)])).toEqual([
    ['GET', { p_limit: '20' }],
    ['GET', { p_limit: '20', p_cursor: 'after-20' }],
  ]);
  expect([questQueries.savedIds('').enabled, questQueries.savedIds('a').enabled]).toEqual([false, true]);
});

it('BEY-15 requests the rules that a text matches, once per text', async () => {
  const api = fakeApi({ 'rpc check_incentives': [{ rule: 'reviews' }] });
  const query = questQueries.incentiveRules('Review us', 'Five stars');
  expect(await fetchQuery(query)).toEqual([{ rule: 'reviews' }]);
  expect(api.calls[0]?.body).toEqual({ p_title: 'Review us', p_instructions: 'Five stars' });
  expect(query).toMatchObject({ staleTime: Number.POSITIVE_INFINITY, retry: false });
  expect(query.queryKey).not.toEqual(questQueries.incentiveRules('Review us', 'Be honest').queryKey);
});
