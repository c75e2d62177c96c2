import type { Reward } from '@/features/rewards';
import { storage, supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';
import type { rewardPayload } from './schema';

const bucket = 'reward-images';
const extensions: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };
const maxBytes = 5 * 1024 * 1024;

export const acceptedImageTypes = Object.keys(extensions);

/** Why a file cannot be a reward's picture; null when it can. The bucket enforces the same rules. */
export function rewardImageProblem({ type, size }: { type: string; size: number }): string | null {
  if (!(type in extensions)) return 'Please choose a PNG, JPG or WebP image';
  return size > maxBytes ? 'Please choose an image smaller than 5MB' : null;
}

async function uploadImage(image: File): Promise<string> {
  const files = (await storage()).from(bucket);
  const path = `${crypto.randomUUID()}.${extensions[image.type] ?? 'png'}`;
  await unwrap(files.upload(path, image, { contentType: image.type, cacheControl: '31536000' }));
  return files.getPublicUrl(path).data.publicUrl;
}

export type RewardSubmission = {
  reward: Pick<Reward, 'id'> | null;
  /** All of a new reward; of a stored one what changes. */
  values: Partial<ReturnType<typeof rewardPayload> & Pick<Reward, 'image_url'>>;
  /** A newly chosen file; becomes `image_url`. */
  image?: File | null;
  /** The same for every attempt to create one reward, so that a retry after a lost answer does not create another. */
  idempotencyKey?: string;
};

/** Creates or changes a reward (SEC-10). Errors: see save_reward. */
export function useSaveReward() {
  return useAdminMutation('save_reward', async ({ reward, values, image, idempotencyKey }: RewardSubmission) =>
    unwrap(
      supabase().rpc('save_reward', {
        p_reward: image ? { ...values, image_url: await uploadImage(image) } : values,
        ...(reward ? { p_reward_id: reward.id } : { p_idempotency_key: idempotencyKey }),
      }),
    ),
  );
}

/** Adds codes to a reward's stock; resolves to how many were new (C-93). Errors: see add_reward_codes. */
export function useAddRewardCodes() {
  return useAdminMutation('add_reward_codes', async (input: { rewardId: string; codes: string[] }) => {
    const [result] = await unwrap(
      supabase().rpc('add_reward_codes', { p_reward_id: input.rewardId, p_codes: input.codes }),
    );
    return result ?? { added: 0, repeated: 0, stock: 0 };
  });
}

/** Removes all unassigned codes. Errors: see remove_reward_codes. */
export function useRemoveRewardCodes() {
  return useAdminMutation('remove_reward_codes', (rewardId: string) =>
    unwrap(supabase().rpc('remove_reward_codes', { p_reward_id: rewardId })),
  );
}

/** Deletes a reward that nobody has redeemed (SEC-10). Errors: see delete_reward. */
export function useDeleteReward() {
  return useAdminMutation('delete_reward', async (rewardId: string) => {
    await unwrap(supabase().rpc('delete_reward', { p_reward_id: rewardId }));
  });
}
