import { act, screen } from '@testing-library/react';
import { questQueries } from '@/features/quests';
import { questId, questRow, taskRow } from '@/lib/testing/quest-rows';
import { signedIn } from '@/lib/testing/render';
import { showQuestPage } from './testing/show-quest-page';

const edited = '2026-03-01T10:00:00Z';

/** What a poll of the quest does. */
async function poll({ queryClient }: ReturnType<typeof showQuestPage>) {
  await act(() => queryClient.refetchQueries({ queryKey: questQueries.keys.detail(questId) }));
}

test('an edit that a poll of the quest finds shows its new tasks, beside the reward that counts them', async () => {
  const view = showQuestPage({ identity: signedIn('community') });
  expect(await screen.findByRole('heading', { name: 'Second task' })).toBeInTheDocument();
  view.api.routes['GET campaigns'] = [questRow({ title: 'After the edit', updated_at: edited })];
  view.api.routes['GET tasks'] = [taskRow({ id: 't3', title: 'New task' })];
  await poll(view);
  expect(await screen.findByRole('heading', { name: 'After the edit' })).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: 'New task' })).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Second task' })).not.toBeInTheDocument();
});

test('a poll that finds other counters only does not ask for the tasks again', async () => {
  const view = showQuestPage({ identity: signedIn('community') });
  await screen.findByRole('heading', { name: 'Second task' });
  const asked = () => view.api.calls.filter(({ path }) => path === 'tasks').length;
  const before = asked();
  view.api.routes['GET campaigns'] = [questRow({ title: 'With a proof', pending_count: 9 })];
  await poll(view);
  expect(await screen.findByRole('heading', { name: 'With a proof' })).toBeInTheDocument();
  expect(asked()).toBe(before);
});
