import { useMutation } from '@tanstack/react-query';
import { useSession } from '@/lib/auth';
import { hadNoEffect, rethrow } from '@/lib/errors';
import { findOut, sendOnce } from '@/lib/send-once';
import { supabase, unwrap } from '@/lib/supabase';
import { fetchOwnProfile, findRedemption, type Reward } from './queries';
import type { Address } from './schema';

/** The name under which a redemption's idempotency key is kept until the server has answered. */
export const redeemCall = (rewardId: string): string => `redeem.${rewardId}`;

type RedeemInput = {
  reward: Pick<Reward, 'id' | 'points_cost'>;
  /** Where it goes, for rewards sent by post (C-93). */
  address?: Address;
  onChecking?: () => void;
};

/**
 * Redeems a reward at the price that was shown (TRUST-20). Pressing twice, or again after a lost answer, a closed dialog or a reload,
 * redeems once (RULE-16, TRUST-21). Refusals read 'Failed to process reward: …' (REWARD-11); a lost answer is looked up (C-99).
 */
export function useRedeemReward() {
  return useMutation({
    mutationFn: ({ reward, address, onChecking }: RedeemInput) => {
      const terms = {
        p_reward_id: reward.id,
        p_expected_cost: reward.points_cost,
        ...(address && { p_address: address }),
      };
      return sendOnce(redeemCall(reward.id), {
        send: (key) => unwrap(supabase().rpc('redeem_reward_safe', { ...terms, p_idempotency_key: key })),
        find: (key) => findRedemption(key),
        onChecking,
      }).catch((error: unknown) => {
        if (!hadNoEffect(error)) throw error;
        return rethrow({ prefix: 'Failed to process reward', isMessageUseful: () => true })(error);
      });
    },
    // After a refusal too: it means that points or stock have changed.
    meta: { calls: ['redeem_reward_safe'] },
  });
}

/** The code of the member's own redemption; from then on it counts as used (C-93). The caller keeps it; it never enters the query cache. */
export function useShowCode() {
  return useMutation({
    mutationFn: (redemptionId: string) =>
      unwrap(supabase().rpc('get_redemption_code', { p_redemption_id: redemptionId })),
    meta: { calls: ['get_redemption_code'] },
  });
}

/**
 * Opts in to a public profile under a handle, changes the handle, or hides the profile (BEY-08). After a lost answer, what is stored is the
 * result (C-99). Errors: see set_public_profile.
 */
export function useSetPublicProfile() {
  const { userId } = useSession();
  return useMutation({
    mutationFn: ({ handle, isPublic }: { handle: string; isPublic: boolean }) => {
      const call = supabase().rpc('set_public_profile', { p_handle: handle, p_is_public: isPublic });
      const findSaved = async () => {
        const saved = await fetchOwnProfile(userId ?? '');
        // A profile is hidden under any handle: another tab may have changed it.
        const isSaved = isPublic ? saved?.is_public && saved.handle === handle : saved?.is_public === false;
        return isSaved ? saved : null;
      };
      return unwrap(call).catch((error: unknown) => findOut(findSaved, error));
    },
    meta: { calls: ['set_public_profile'] },
  });
}
