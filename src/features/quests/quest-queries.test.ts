import { QueryClient } from '@tanstack/react-query';
import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { fetchCollectedEmails, questQueries } from './queries';
import { projectId, questId, questRow, taskRow } from './testing/edit-form';

const email = (id: string, overrides: Record<string, unknown> = {}) => ({
  id,
  campaign_id: questId,
  email: `${id}@example.org`,
  collected_at: '2026-02-03T00:00:00Z',
  ...overrides,
});

it('one quest is read by its id, null when there is none', async () => {
  const other = questRow({ id: 'other', title: 'Another' });
  fakeApi({ 'GET campaigns': [questRow(), other] });
  expect(await fetchQuery(questQueries.detail('other'))).toEqual(other);
  expect(await fetchQuery(questQueries.detail('missing'))).toBeNull();
});

it('SDASH-06 a project has its own quests, newest first, and no other’s', async () => {
  fakeApi({
    'GET campaigns': [
      questRow({ id: 'old', created_at: '2026-01-01T00:00:00Z' }),
      questRow({ id: 'new', created_at: '2026-01-03T00:00:00Z', status: 'draft' }),
      questRow({ id: 'foreign', startup_id: 'other', created_at: '2026-01-04T00:00:00Z' }),
      questRow({ id: 'middle', created_at: '2026-01-02T00:00:00Z' }),
    ],
  });
  expect(idsOf(await fetchQuery(questQueries.byProject(projectId)))).toEqual(['new', 'middle', 'old']);
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

it('SDASH-08 addresses are counted per quest, without reading them', async () => {
  const api = fakeApi({
    'GET campaign_email_collections': [email('a'), email('b'), email('c', { campaign_id: 'other' })],
  });
  expect(await fetchQuery(questQueries.emailCount(questId))).toBe(2);
  expect(await fetchQuery(questQueries.emailCount('empty'))).toBe(0);
  expect(api.calls.map(({ method }) => method)).toEqual(['HEAD', 'HEAD']);
});

it('SDASH-09 all addresses of the quest are read, oldest first, past the rows of one answer', async () => {
  const many = Array.from({ length: 1001 }, (_, index) => email(`e${String(index).padStart(4, '0')}`));
  const early = email('z', { collected_at: '2026-02-02T00:00:00Z' });
  const api = fakeApi({
    'GET campaign_email_collections': [...many.toReversed(), early, email('x', { campaign_id: 'other' })],
  });
  const emails = await fetchCollectedEmails(questId);
  expect(idsOf(emails)).toEqual(['z', ...many.map(({ id }) => id)]);
  expect(Object.keys(emails[0] ?? {})).toEqual(['id', 'email', 'collected_at']);
  expect(api.calls).toHaveLength(2);
});

it('a whole page of addresses is followed by a look for more', async () => {
  const api = fakeApi({
    'GET campaign_email_collections': Array.from({ length: 1000 }, (_, index) => email(`e${index}`)),
  });
  expect(await fetchCollectedEmails(questId)).toHaveLength(1000);
  expect(api.calls).toHaveLength(2);
});

it('what is kept of one quest is not shown for another', async () => {
  fakeApi({
    'GET campaigns': [questRow(), questRow({ id: 'other' })],
    'GET tasks': [],
    'GET campaign_email_collections': [],
  });
  const client = new QueryClient();
  for (const id of [questId, 'other']) {
    await client.fetchQuery(questQueries.detail(id));
    await client.fetchQuery(questQueries.tasks(id));
    await client.fetchQuery(questQueries.byProject(id));
    await client.fetchQuery(questQueries.emailCount(id));
  }
  expect(client.getQueryCache().findAll({ queryKey: questQueries.keys.all })).toHaveLength(8);
});
