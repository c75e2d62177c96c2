// @vitest-environment jsdom
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import { useMarkAllRead, useMarkRead, useSetMailPreference } from './mutations';

it.each([
  ['mark_notification_read', () => runMutation(useMarkRead, 7), { p_notification_id: 7 }],
  ['mark_all_notifications_read', () => runMutation(useMarkAllRead, 9), { p_up_to: 9 }],
  [
    'set_notification_preference',
    () => runMutation(() => useSetMailPreference('proof_approved'), false),
    { p_kind: 'proof_approved', p_is_mailed: false },
  ],
] as const)('%s sends what was pressed, and the inbox is read again', async (name, run, body) => {
  const api = fakeApi({ [`rpc ${name}`]: undefined });
  const { error, stale } = await run();
  expect(error).toBeNull();
  expect(api.calls.map((call) => call.body)).toEqual([body]);
  expect(stale).toContainEqual(['notifications']);
});

it('C-99 marking all as read says nothing of a failure when only its answer was lost', async () => {
  let sent = 0;
  fakeApi({
    'rpc mark_all_notifications_read': () => {
      sent += 1;
      return sent === 1 ? offline() : undefined;
    },
  });
  expect((await runMutation(useMarkAllRead, 9)).error).toBeNull();
  expect(sent).toBe(2);
});

describe('C-99 a mail preference whose answer was lost', () => {
  const set = (isMailed: boolean) => runMutation(() => useSetMailPreference('proof_approved'), isMailed);
  const stored = (is_mailed: boolean) => ({
    'rpc set_notification_preference': offline(),
    'rpc get_notification_preferences': [
      { kind: 'points_held', is_mailed: !is_mailed },
      { kind: 'proof_approved', is_mailed },
    ],
  });

  it('is saved when it is stored', async () => {
    fakeApi(stored(false));
    expect((await set(false)).error).toBeNull();
  });

  it('is not when it is not', async () => {
    vi.useFakeTimers();
    fakeApi(stored(true));
    const setting = set(false);
    await vi.runAllTimersAsync();
    expect((await setting).error).toMatchObject({ code: 'NOT_APPLIED' });
    vi.useRealTimers();
  });
});
