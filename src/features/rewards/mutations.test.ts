// @vitest-environment jsdom
import { unansweredKey } from '@/lib/send-once';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import { redeemCall, useRedeemReward, useSetPublicProfile, useShowCode } from './mutations';

/** The key that the first call was sent under. */
const keyOf = ({ calls: [first] }: ReturnType<typeof fakeApi>) => Object(first?.body).p_idempotency_key as string;

const input = { reward: { id: 'reward-1', points_cost: 500 } };
const both = [['wallets'], ['rewards'], ['settings']];

it('RULE-16 TRUST-20 redeems under a key, at the shown price, and refetches points and rewards', async () => {
  const api = fakeApi({ 'rpc redeem_reward_safe': { id: 'redemption-1' } });
  const { data, stale } = await runMutation(useRedeemReward, input);
  expect(data).toEqual({ id: 'redemption-1' });
  expect(api.calls[0]?.body).toEqual({
    p_reward_id: 'reward-1',
    p_expected_cost: 500,
    p_idempotency_key: expect.any(String),
  });
  expect(stale).toEqual(both);
});

it('REWARD-11 a refusal says that the reward was not processed, and why, and refetches the same', async () => {
  fakeApi({ 'rpc redeem_reward_safe': refuse(409, 'OUT_OF_STOCK', 'This reward is out of stock') });
  const { error, stale } = await runMutation(useRedeemReward, input);
  expect(error).toMatchObject({
    code: 'OUT_OF_STOCK',
    status: 409,
    message: 'Failed to process reward: This reward is out of stock',
  });
  expect(stale).toEqual(both);
});

it('C-93 a posted reward is sent with its address', async () => {
  const address = {
    name: 'Ada',
    street: '1 Street',
    extra: '',
    postal_code: '1',
    city: 'Town',
    region: '',
    country: 'AT',
  };
  const api = fakeApi({ 'rpc redeem_reward_safe': { id: 'redemption-1' } });
  await runMutation(useRedeemReward, { ...input, address });
  expect(api.calls[0]?.body).toMatchObject({ p_address: address });
});

it('C-99 TRUST-21 after a lost answer the redemption is looked up by the sent key and returned', async () => {
  const onChecking = vi.fn();
  const found = { id: 'redemption-1' };
  const api = fakeApi({ 'rpc redeem_reward_safe': offline(), 'GET redemptions': Response.json([found]) });
  const { data } = await runMutation(useRedeemReward, { ...input, onChecking });
  expect(data).toEqual(found);
  expect(onChecking).toHaveBeenCalledOnce();
  const key = keyOf(api);
  expect(api.calls[1]?.params.get('idempotency_key')).toBe(`eq.${key}`);
});

it('C-99 TRUST-21 a redemption that did not happen says so, and is retried under the same key', async () => {
  vi.useFakeTimers();
  const other = { reward: { id: 'reward-2', points_cost: 500 } };
  const api = fakeApi({ 'rpc redeem_reward_safe': offline(), 'GET redemptions': [] });
  const run = runMutation(useRedeemReward, other);
  await vi.runAllTimersAsync();
  expect((await run).error).toMatchObject({
    code: 'NOT_APPLIED',
    message: 'It did not go through. Please try again.',
  });
  const key = keyOf(api);
  expect(unansweredKey(redeemCall('reward-2'))).toBe(key);
});

it('C-99 a profile is hidden whatever its handle is by now', async () => {
  fakeApi({
    'rpc set_public_profile': offline(),
    'GET member_profiles': [{ user_id: '', handle: 'changed', is_public: false }],
  });
  const { data, error } = await runMutation(useSetPublicProfile, { handle: 'ada', isPublic: false });
  expect([error, data]).toEqual([null, expect.objectContaining({ handle: 'changed' })]);
});

it('C-93 BEY-08 codes and the public profile belong to the calling member', async () => {
  const api = fakeApi({
    'rpc get_redemption_code': Response.json('CODE-1'),
    'rpc set_public_profile': { handle: 'ada' },
  });
  expect((await runMutation(useShowCode, 'redemption-1')).data).toBe('CODE-1');
  const { data, stale } = await runMutation(useSetPublicProfile, { handle: 'ada', isPublic: true });
  expect(data).toEqual({ handle: 'ada' });
  expect(api.calls.map(({ body }) => body)).toEqual([
    { p_redemption_id: 'redemption-1' },
    { p_handle: 'ada', p_is_public: true },
  ]);
  expect(stale).toEqual([['rewards', 'profile']]);
});
