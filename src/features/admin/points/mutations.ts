import type { Reward } from '@/features/rewards';
import { AppError, hadNoEffect, toAppError } from '@/lib/errors';
import { maxPublicPictureSize, publicPictureTypes } from '@/lib/picture';
import { findOut, isRolledBack, orIsGone, sendOnce, untilAnswered } from '@/lib/send-once';
import { storage, supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';
import type { rewardPayload } from './schema';

const imageBucket = 'reward-images';

export const acceptedImageTypes = Object.keys(publicPictureTypes);

/** Why a file cannot be a reward's picture; null when it can. The bucket enforces the same rules. */
export function rewardImageProblem({ type, size }: { type: string; size: number }): string | null {
  if (!(type in publicPictureTypes)) return 'Please choose a PNG, JPG or WebP image';
  return size > maxPublicPictureSize ? 'Please choose an image smaller than 5MB' : null;
}

/** Addresses of the files that were uploaded from this page, so that another attempt to save does not upload them again. */
const uploaded = new WeakMap<File, string>();

async function uploadImage(image: File): Promise<string> {
  const earlier = uploaded.get(image);
  if (earlier) return earlier;
  const files = (await storage()).from(imageBucket);
  const path = `${crypto.randomUUID()}.${publicPictureTypes[image.type] ?? 'png'}`;
  await unwrap(files.upload(path, image, { contentType: image.type, cacheControl: '31536000' })).catch(
    (error: unknown) => {
      // Even if the file was stored, the reward has not been saved.
      if (hadNoEffect(error)) throw error;
      throw new AppError(
        'UPLOAD_FAILED',
        'The picture could not be uploaded, so nothing has been saved. Please try again.',
        toAppError(error).status,
        error,
      );
    },
  );
  const url = files.getPublicUrl(path).data.publicUrl;
  uploaded.set(image, url);
  return url;
}

export type RewardSubmission = {
  /** As the admin sees it. */
  reward: Reward | null;
  /** Every value of a new reward; only the changed ones of a stored reward. */
  values: Partial<ReturnType<typeof rewardPayload> & Pick<Reward, 'image_url'>>;
  /** A newly chosen file; becomes `image_url`. */
  image?: File | null;
  onChecking?: () => void;
};

/** What the changes of a reward replace. A changed delivery counts its stock anew, whatever it was. */
function replacedValues(reward: Reward, changes: RewardSubmission['values']): Partial<Reward> {
  const { stock_quantity, ...others } = reward;
  const seen = changes.delivery === undefined ? reward : others;
  return Object.fromEntries(Object.entries(seen).flatMap((entry) => (entry[0] in changes ? [entry] : [])));
}

/** The reward that a call with this key has created, null when there is none. */
async function findReward(key: string): Promise<Reward | null> {
  const [reward] = await unwrap(supabase().rpc('get_reward_by_key', { p_idempotency_key: key }, { get: true }));
  return reward ?? null;
}

/**
 * Creates or changes a reward (SEC-10). One is created once, also after a lost answer or a reload (TRUST-21), whose outcome is looked up
 * (C-99). A value that has changed since the admin saw it is not replaced. Errors: see save_reward and sendOnce.
 */
export function useSaveReward() {
  return useAdminMutation('save_reward', async (submission: RewardSubmission): Promise<Reward> => {
    const { reward, values, image, onChecking } = submission;
    const p_reward = image ? { ...values, image_url: await uploadImage(image) } : values;
    if (reward) {
      const replaces = replacedValues(reward, p_reward);
      return unwrap(supabase().rpc('save_reward', { p_reward: { ...p_reward, replaces }, p_reward_id: reward.id }));
    }
    return sendOnce('create-reward', {
      content: JSON.stringify(p_reward),
      tellMade: ({ title }) =>
        `“${title}” was created after all: you find it in the list. Press again to create this reward as well.`,
      send: (key) => unwrap(supabase().rpc('save_reward', { p_reward, p_idempotency_key: key })),
      find: findReward,
      onChecking,
    });
  });
}

type CodesSubmission = { rewardId: string; codes: string[]; onChecking?: () => void };

/**
 * Adds codes to a reward's stock (C-93). A code is there once however often it is sent, so after a lost answer the codes are sent again
 * (C-99); `added` is then null, because it is not known which of them the first call had added. Errors: see add_reward_codes and
 * untilAnswered.
 */
export function useAddRewardCodes() {
  return useAdminMutation('add_reward_codes', async ({ rewardId, codes, onChecking }: CodesSubmission) => {
    let attempts = 0;
    const send = () => {
      attempts += 1;
      if (attempts > 1) onChecking?.();
      return unwrap(supabase().rpc('add_reward_codes', { p_reward_id: rewardId, p_codes: codes }));
    };
    const [result] = await untilAnswered(send);
    const { added, repeated } = result ?? { added: 0, repeated: 0 };
    return { sent: codes.length, added: attempts > 1 ? null : added, repeated };
  });
}

/** Removes all unassigned codes. Errors: see remove_reward_codes. */
export function useRemoveRewardCodes() {
  return useAdminMutation('remove_reward_codes', (rewardId: string) =>
    unwrap(supabase().rpc('remove_reward_codes', { p_reward_id: rewardId })),
  );
}

/** Deletes a reward that nobody has redeemed (SEC-10). Errors: see delete_reward and findOut. */
export function useDeleteReward() {
  return useAdminMutation('delete_reward', async (rewardId: string) => {
    await unwrap(supabase().rpc('delete_reward', { p_reward_id: rewardId })).catch(
      orIsGone(() => unwrap(supabase().from('rewards').select('id').eq('id', rewardId).maybeSingle())),
    );
  });
}

export type RedemptionDecision = 'fulfilled' | 'cancelled';

/**
 * Fulfils a pending redemption, or cancels it with a refund; the member reads the note (C-50). After a lost answer, a redemption that has this
 * status is the result (C-99). Errors: see set_redemption_status and findOut.
 */
export function useDecideRedemption() {
  return useAdminMutation(
    'set_redemption_status',
    async (input: { redemptionId: string; decision: RedemptionDecision; note: string }) => {
      await unwrap(
        supabase().rpc('set_redemption_status', {
          p_redemption_id: input.redemptionId,
          p_status: input.decision,
          p_note: input.note || undefined,
        }),
      ).catch((error: unknown) => {
        if (isRolledBack(error)) throw error;
        const { redemptionId, decision } = input;
        const redemptions = () => supabase().from('redemptions').select('id').eq('id', redemptionId);
        return findOut(() => unwrap(redemptions().eq('status', decision).maybeSingle()), error);
      });
    },
  );
}

/** Result for one redemption of a batch: fulfilled, already handled, left for a decision of its own (the last three), or not found. */
export type BatchOutcome = 'fulfilled' | 'handled' | 'not_found' | 'own' | 'flagged' | 'suspended';

/** Fulfils several redemptions with one note; resolves to a result for each (C-95). Errors: see fulfil_redemptions. */
export function useFulfilRedemptions() {
  return useAdminMutation('fulfil_redemptions', async (input: { redemptionIds: string[]; note: string }) => {
    const rows = await unwrap(
      supabase().rpc('fulfil_redemptions', {
        p_redemption_ids: input.redemptionIds,
        p_note: input.note || undefined,
      }),
    );
    return new Map(rows.map(({ redemption_id, outcome }) => [redemption_id, outcome as BatchOutcome]));
  });
}

export type PaymentDecision = 'take_back' | 'write_off';

type Settlement = { purchaseId: string; decision: PaymentDecision; note: string };

/**
 * Takes back what the project has now, or writes the rest off; resolves to the points still missing. Errors: see
 * settle_returned_payment.
 */
export function useSettlePayment() {
  return useAdminMutation(
    'settle_returned_payment',
    ({ purchaseId, decision, note }: Settlement): Promise<number> =>
      unwrap(
        supabase().rpc('settle_returned_payment', { p_purchase_id: purchaseId, p_decision: decision, p_note: note }),
      ),
  );
}
