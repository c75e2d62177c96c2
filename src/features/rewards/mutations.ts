import { useMutation } from '@tanstack/react-query';
import { AppError, toAppError } from '@/lib/errors';
import { supabase, unwrap } from '@/lib/supabase';

/**
 * Redeems a reward. `idempotencyKey` belongs to one opening of the dialog: pressing twice, or again after the answer got
 * lost, redeems once (RULE-16). Failures read 'Failed to process reward: …' (REWARD-11).
 */
export function useRedeemReward() {
  return useMutation({
    mutationFn: async ({ rewardId, idempotencyKey }: { rewardId: string; idempotencyKey: string }) => {
      try {
        return await unwrap(
          supabase().rpc('redeem_reward_safe', { p_reward_id: rewardId, p_idempotency_key: idempotencyKey }),
        );
      } catch (error) {
        const { code, message, status } = toAppError(error);
        throw new AppError(code, `Failed to process reward: ${message}`, status, error);
      }
    },
    meta: { calls: ['redeem_reward_safe'] },
  });
}
