import { useMutation } from '@tanstack/react-query';
import { rethrow } from '@/lib/errors';
import { supabase, unwrap } from '@/lib/supabase';

/**
 * Redeems a reward. `idempotencyKey` belongs to one opening of the dialog: pressing twice, or again after the answer got
 * lost, redeems once (RULE-16). Failures read 'Failed to process reward: …' (REWARD-11).
 */
export function useRedeemReward() {
  return useMutation({
    mutationFn: ({ rewardId, idempotencyKey }: { rewardId: string; idempotencyKey: string }) =>
      unwrap(supabase().rpc('redeem_reward_safe', { p_reward_id: rewardId, p_idempotency_key: idempotencyKey })).catch(
        rethrow({ prefix: 'Failed to process reward', isWorded: () => true }),
      ),
    meta: { calls: ['redeem_reward_safe'] },
  });
}
