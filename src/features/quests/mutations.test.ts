// @vitest-environment jsdom
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { createQueryClient } from '@/lib/query-client';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import {
  useCloseQuest,
  useCreateQuest,
  useDeleteQuest,
  usePublishQuest,
  useUnpublishQuest,
  useUpdateQuest,
} from './mutations';
import { questQueries } from './queries';
import { createPayload, storedValues, updatePayload } from './quest-form';
import { newQuestValues } from './testing/form-values';
import { projectId, questId, questRow } from './testing/rows';

const payload = createPayload(newQuestValues({ title: 'Proofread' }));
const edited = updatePayload(storedValues(questRow({ title: 'Proofread' }), []));
const useUpdate = () => useUpdateQuest(questId);

/** An active query, counting its fetches. */
function onScreen() {
  const queryClient = createQueryClient();
  const read = vi.fn(() => Promise.resolve('read'));
  const observer = new QueryObserver(queryClient, {
    queryKey: questQueries.keys.all,
    queryFn: read,
    initialData: 'old',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const stop = observer.subscribe(() => undefined);
  return { queryClient, read, stop, isStale: () => queryClient.getQueryState(questQueries.keys.all)?.isInvalidated };
}

type Run = (queryClient: QueryClient) => Promise<{ error: Error | null; data: unknown }>;
const staying: [string, Run][] = [
  ['publish_campaign', (client) => runMutation(usePublishQuest, questId, client)],
  ['unpublish_campaign', (client) => runMutation(useUnpublishQuest, questId, client)],
  ['close_campaign', (client) => runMutation(useCloseQuest, questId, client)],
];
const leaving: [string, Run, object][] = [
  [
    'create_quest',
    (client) => runMutation(useCreateQuest, { projectId, payload }, client),
    { p_startup_id: projectId, p_campaign: payload.quest, p_task: payload.task, p_idempotency_key: expect.any(String) },
  ],
  [
    'update_campaign',
    (client) => runMutation(useUpdate, { payload: edited, isApprovingWaiting: false }, client),
    {
      p_campaign_id: questId,
      p_campaign: edited.quest,
      p_tasks: edited.tasks,
      p_idempotency_key: expect.any(String),
    },
  ],
  [
    'delete_campaign',
    (client) => runMutation(useDeleteQuest, { id: questId, isApprovingWaiting: false }, client),
    { p_campaign_id: questId },
  ],
];

it.each(staying)('SDASH-07 after %s, what is on the screen is read again', async (procedure, run) => {
  const api = fakeApi({ [`rpc ${procedure}`]: questRow() });
  const { queryClient, read, stop } = onScreen();
  expect((await run(queryClient)).data).toEqual(questRow());
  expect(api.calls[0]?.body).toEqual({ p_campaign_id: questId });
  expect(read).toHaveBeenCalledOnce();
  stop();
});

it.each(leaving)('after %s, what is left behind is only marked as old', async (procedure, run, body) => {
  const api = fakeApi({ [`rpc ${procedure}`]: questRow() });
  const { queryClient, read, stop, isStale } = onScreen();
  expect((await run(queryClient)).error).toBeNull();
  expect(api.calls[0]?.body).toEqual(body);
  expect(read).not.toHaveBeenCalled();
  expect(isStale()).toBe(true);
  stop();
});

it.each([
  ...staying.map(([procedure, run]) => [procedure, run, 1] as const),
  ...leaving.map(([procedure, run]) => [procedure, run, 0] as const),
])('a refused %s means that the screen was out of date', async (procedure, run, reads) => {
  fakeApi({ [`rpc ${procedure}`]: refuse(409, 'ON_HOLD', 'On hold') });
  const { queryClient, read, stop, isStale } = onScreen();
  expect((await run(queryClient)).error).toMatchObject({ message: 'On hold' });
  expect(read).toHaveBeenCalledTimes(reads);
  expect(isStale()).toBe(reads === 0);
  stop();
});
