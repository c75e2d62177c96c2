// @vitest-environment jsdom
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { createQueryClient } from '@/lib/query-client';
import { type ApiCall, fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import {
  useCloseQuest,
  useCreateQuest,
  useDeleteQuest,
  useDuplicateQuest,
  usePublishQuest,
  useRecordQuestView,
  useSaveQuest,
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

it.each(staying)('SDASH-07 after %s, active queries are refetched', async (procedure, run) => {
  const api = fakeApi({ [`rpc ${procedure}`]: questRow() });
  const { queryClient, read, stop } = onScreen();
  expect((await run(queryClient)).data).toEqual(questRow());
  expect(api.calls[0]?.body).toEqual({ p_campaign_id: questId });
  expect(read).toHaveBeenCalledOnce();
  stop();
});

it.each(leaving)('after %s, the screen that is being left is only marked stale', async (procedure, run, body) => {
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
])('a refused %s means that the screen was stale', async (procedure, run, reads) => {
  fakeApi({ [`rpc ${procedure}`]: refuse(409, 'ON_HOLD', 'On hold') });
  const { queryClient, read, stop, isStale } = onScreen();
  expect((await run(queryClient)).error).toMatchObject({ message: 'On hold' });
  expect(read).toHaveBeenCalledTimes(reads);
  expect(isStale()).toBe(reads === 0);
  stop();
});

it('C-85 C-98 sends that a quest remains a draft, and that pending proofs are approved', async () => {
  const api = fakeApi({
    'rpc create_quest': questRow(),
    'rpc update_campaign': questRow(),
    'rpc delete_campaign': null,
  });
  await runMutation(useCreateQuest, { projectId, payload, isDraft: true });
  await runMutation(useUpdate, { payload: edited, isApprovingWaiting: true });
  await runMutation(useDeleteQuest, { id: questId, isApprovingWaiting: true });
  expect(api.calls.map(({ body }) => body)).toMatchObject([
    { p_publish: false },
    { p_approve_waiting: true },
    { p_campaign_id: questId, p_approve_waiting: true },
  ]);
});

it('C-99 QEDIT-15 a quest that is gone counts as deleted, as after a lost answer; another refusal does not', async () => {
  const api = fakeApi({ 'rpc delete_campaign': refuse(404, 'CAMPAIGN_NOT_FOUND', 'Campaign not found') });
  const remove = () => runMutation(useDeleteQuest, { id: questId, isApprovingWaiting: false });
  expect((await remove()).error).toBeNull();
  api.routes['rpc delete_campaign'] = refuse(409, 'ON_HOLD', 'This quest is on hold: Spam');
  expect((await remove()).error).toMatchObject({ code: 'ON_HOLD' });
});

it('C-99 QEDIT-15 a deletion whose answer is lost counts when the quest is gone, and not when it is still there', async () => {
  vi.useFakeTimers();
  const api = fakeApi({ 'rpc delete_campaign': offline(), 'GET campaigns': [questRow({ id: 'another' })] });
  const remove = async () => {
    const run = runMutation(useDeleteQuest, { id: questId, isApprovingWaiting: false });
    await vi.runAllTimersAsync();
    return (await run).error;
  };
  expect(await remove()).toBeNull();
  api.routes['GET campaigns'] = [questRow({ id: questId })];
  expect(await remove()).toMatchObject({ code: 'NOT_APPLIED' });
  api.routes['GET campaigns'] = offline();
  expect(await remove()).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
});

const lost: [string, () => ReturnType<typeof runMutation>][] = [
  ['create_quest', () => runMutation(useCreateQuest, { projectId, payload })],
  ['update_campaign', () => runMutation(useUpdate, { payload: edited, isApprovingWaiting: false })],
  ['duplicate_campaign', () => runMutation(useDuplicateQuest, questId)],
];

it.each(lost)(
  'C-99 after a lost answer of %s, the quest is looked up under the key that was sent',
  async (procedure, run) => {
    const made = questRow({ title: 'Made' });
    const api = fakeApi({ [`rpc ${procedure}`]: offline(), 'rpc get_quest_by_key': [made] });
    expect((await run()).data).toEqual(made);
    const [sent, asked] = api.calls;
    const key = Object(sent?.body).p_idempotency_key as string;
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect([asked?.method, asked?.params.get('p_idempotency_key')]).toEqual(['GET', key]);
  },
);

it('C-99 TRUST-21 a lost edit without effect says so; a different edit is a new call', async () => {
  vi.useFakeTimers();
  const api = fakeApi({ 'rpc update_campaign': offline(), 'rpc get_quest_by_key': [] });
  const other = updatePayload(storedValues(questRow({ title: 'Something else' }), []));
  const keys: unknown[] = [];
  for (const sent of [edited, edited, other]) {
    const run = runMutation(useUpdate, { payload: sent, isApprovingWaiting: false });
    await vi.runAllTimersAsync();
    expect((await run).error).toMatchObject({ code: 'NOT_APPLIED' });
  }
  for (const { path, body } of api.calls) {
    if (path === 'rpc/update_campaign') keys.push((body as { p_idempotency_key: string }).p_idempotency_key);
  }
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

it('C-99 TRUST-21 another quest is not taken for one whose answer was lost, and is made when it is wanted as well', async () => {
  vi.useFakeTimers();
  const api = fakeApi({ 'rpc create_quest': offline(), 'rpc get_quest_by_key': offline() });
  const create = async (title: string) => {
    const run = runMutation(useCreateQuest, { projectId, payload: createPayload(newQuestValues({ title })) });
    await vi.runAllTimersAsync();
    return run;
  };
  expect((await create('Proofread')).error).toMatchObject({ code: 'OUTCOME_UNKNOWN' });

  // It had been made: the server answers its key with it, whatever is sent along.
  const keyOf = ({ body }: { body: unknown }) => (body as { p_idempotency_key: string }).p_idempotency_key;
  const [lostCall] = api.calls;
  const lostKey = lostCall && keyOf(lostCall);
  api.routes['rpc get_quest_by_key'] = [questRow({ title: 'Proofread' })];
  api.routes['rpc create_quest'] = (call: ApiCall) =>
    questRow({ title: keyOf(call) === lostKey ? 'Proofread' : 'Something else' });

  const { data, error } = await create('Something else');
  expect(data).toBeUndefined();
  expect(error).toMatchObject({ message: expect.stringContaining('“Proofread” was created after all') });
  expect((await create('Something else')).data).toMatchObject({ title: 'Something else' });
});

it.each([
  ['publish_campaign', usePublishQuest, 'published', 'draft'],
  ['unpublish_campaign', useUnpublishQuest, 'draft', 'published'],
  ['close_campaign', useCloseQuest, 'closed', 'published'],
] as const)(
  'C-99 %s whose answer was lost has happened when the quest has its status',
  async (procedure, use, after, before) => {
    vi.useFakeTimers();
    const api = fakeApi({ [`rpc ${procedure}`]: offline(), 'GET campaigns': [questRow({ status: after })] });
    const run = async () => {
      const answer = runMutation(use, questId);
      await vi.runAllTimersAsync();
      return answer;
    };
    expect(await run()).toMatchObject({ data: { id: questId, status: after }, error: null });
    api.routes['GET campaigns'] = [questRow({ status: before })];
    expect((await run()).error).toMatchObject({ code: 'NOT_APPLIED' });
  },
);

it.each([true, false])(
  'C-99 saving or removing whose answer was lost has happened when it is stored (%s)',
  async (isOn) => {
    fakeApi({ 'rpc set_quest_saved': offline(), 'GET saved_quests': isOn ? [{ campaign_id: questId }] : [] });
    expect(await runMutation(useSaveQuest, { id: questId, isOn })).toMatchObject({ data: isOn, error: null });
  },
);

it('BEY-07 BEY-18 copies and saves a quest and records a view, with their arguments', async () => {
  const api = fakeApi({
    'rpc duplicate_campaign': questRow(),
    'rpc set_quest_saved': true,
    'rpc record_quest_view': undefined,
  });
  expect((await runMutation(useDuplicateQuest, questId)).data).toEqual(questRow());
  expect((await runMutation(useSaveQuest, { id: questId, isOn: true })).data).toBe(true);
  await runMutation(useRecordQuestView, questId);
  expect(api.calls.map(({ body }) => body)).toEqual([
    { p_campaign_id: questId, p_idempotency_key: expect.any(String) },
    { p_campaign_id: questId, p_is_saved: true },
    { p_campaign_id: questId },
  ]);
});
