// @vitest-environment jsdom
import type { UseMutationResult } from '@tanstack/react-query';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import { useConfirmSubscription, useSubscribe, useUnsubscribe } from './mutations';

it('MAIL-01 an address is sent with its source and metadata', async () => {
  vi.setSystemTime('2026-02-01T12:00:00.000Z');
  const api = fakeApi({ 'rpc subscribe_to_mailing_list': undefined });
  await runMutation(useSubscribe, 'ada@example.org');
  expect(api.calls[0]?.body).toEqual({
    p_email: 'ada@example.org',
    p_source: 'website',
    p_metadata: {
      page_url: `${window.location.origin}${window.location.pathname}`,
      timestamp: '2026-02-01T12:00:00.000Z',
    },
  });
});

it.each([
  ['subscribe_to_mailing_list', useSubscribe, 'confirm'],
  ['confirm_mailing_list_subscription', useConfirmSubscription, true],
  ['unsubscribe_from_mailing_list', useUnsubscribe, true],
] as const)('C-99 after a lost answer the same request is sent again: %s', async (procedure, useChange, result) => {
  const answers = [offline(), procedure === 'subscribe_to_mailing_list' ? 'confirm' : undefined];
  const api = fakeApi({ [`rpc ${procedure}`]: () => answers.shift() });
  expect(
    (await runMutation(useChange as () => UseMutationResult<unknown, Error, string>, 'ada@example.org')).data,
  ).toBe(result);
  expect(api.calls).toHaveLength(2);
  expect(api.calls[1]?.body).toEqual(api.calls[0]?.body);
});

it('C-82 the confirmation link confirms by its token', async () => {
  const api = fakeApi({ 'rpc confirm_mailing_list_subscription': true });
  expect((await runMutation(useConfirmSubscription, 'token-1')).data).toBe(true);
  expect(api.calls[0]?.body).toEqual({ p_token: 'token-1' });
});

it('MAIL-02 C-50 the unsubscribe link in a mail unsubscribes by its token', async () => {
  const api = fakeApi({ 'rpc unsubscribe_from_mailing_list': true });
  expect((await runMutation(useUnsubscribe, 'token-1')).data).toBe(true);
  expect(api.calls[0]?.body).toEqual({ p_token: 'token-1' });
});
