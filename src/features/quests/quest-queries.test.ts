import { QueryClient } from '@tanstack/react-query';
import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { pagedRows } from '@/lib/testing/paged-rows';
import { fetchCollectedEmails, questQueries } from './queries';
import { questId, questRow, taskRow } from './testing/rows';

it('one quest is read by its id, null when there is none', async () => {
  const other = questRow({ id: 'other', title: 'Another' });
  fakeApi({ 'GET campaigns': [questRow(), other] });
  expect(await fetchQuery(questQueries.detail('other'))).toEqual(other);
  expect(await fetchQuery(questQueries.detail('missing'))).toBeNull();
});

it('QUEST-05 tasks come in the order of the quest, and only its own', async () => {
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

it('SDASH-09 all addresses of the quest are read, past the rows of one answer', async () => {
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

it('what is kept of one quest is not shown for another', async () => {
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
