import { useMutation } from '@tanstack/react-query';
import { isRefusal, rethrow } from '@/lib/errors';
import { sendOnce } from '@/lib/send-once';
import { supabase, unwrap } from '@/lib/supabase';
import { findRedemption, type Reward } from './queries';

/** Under this name the key of a redemption is kept until its answer came. */
export const redeemCall = (rewardId: string): string => `redeem.${rewardId}`;

type RedeemInput = { reward: Pick<Reward, 'id' | 'points_cost'>; onChecking?: () => void };

/**
 * Redeems a reward at the price that was shown (TRUST-20). Pressing twice, or again after a lost answer, a closed dialog or a reload,
 * redeems once (RULE-16, TRUST-21). Refusals read 'Failed to process reward: …' (REWARD-11); a lost answer is looked up (C-99).
 */
export function useRedeemReward() {
  return useMutation({
    mutationFn: ({ reward, onChecking }: RedeemInput) => {
      const terms = { p_reward_id: reward.id, p_expected_cost: reward.points_cost };
      return sendOnce(redeemCall(reward.id), {
        send: (key) => unwrap(supabase().rpc('redeem_reward_safe', { ...terms, p_idempotency_key: key })),
        find: (key) => findRedemption(key),
        onChecking,
      }).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        return rethrow({ prefix: 'Failed to process reward', isWorded: () => true })(error);
      });
    },
    // Refused or not, points or stock are not what the screen said.
    meta: { calls: ['redeem_reward_safe'] },
  });
}
