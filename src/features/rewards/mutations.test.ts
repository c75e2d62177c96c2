// @vitest-environment jsdom
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import { useRedeemReward } from './mutations';

const input = { reward: { id: 'reward-1', points_cost: 500 } };
const both = [['wallets'], ['rewards']];

it('RULE-16 TRUST-20 redeems under a key, at the price that was shown; points and rewards are read again', async () => {
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

it('REWARD-11 a refusal says that the reward was not processed, and why, and reads the same again', async () => {
  fakeApi({ 'rpc redeem_reward_safe': refuse(409, 'OUT_OF_STOCK', 'This reward is out of stock') });
  const { error, stale } = await runMutation(useRedeemReward, input);
  expect(error).toMatchObject({
    code: 'OUT_OF_STOCK',
    status: 409,
    message: 'Failed to process reward: This reward is out of stock',
  });
  expect(stale).toEqual(both);
});
