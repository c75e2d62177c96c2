// @vitest-environment jsdom
import { fakeApi } from '@/lib/testing/fake-api';
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
