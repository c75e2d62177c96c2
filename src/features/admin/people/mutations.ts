import { sendOnce } from '@/lib/send-once';
import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';

/** Suspends a person with a reason that they read (BEY-04). Errors: see suspend_user. */
export function useSuspend() {
  return useAdminMutation('suspend_user', async ({ userId, reason }: { userId: string; reason: string }) => {
    await unwrap(supabase().rpc('suspend_user', { p_user_id: userId, p_reason: reason }));
  });
}

/** Ends a suspension. Errors: see lift_suspension. */
export function useLiftSuspension() {
  return useAdminMutation('lift_suspension', async ({ userId, note }: { userId: string; note: string }) => {
    await unwrap(supabase().rpc('lift_suspension', { p_user_id: userId, p_note: note || undefined }));
  });
}

/** Switches a referral code off, or on again (C-108). Errors: see set_referral_code_active. */
export function useSwitchReferralCode() {
  return useAdminMutation(
    'set_referral_code_active',
    async ({ code, isActive }: { code: string; isActive: boolean }) => {
      await unwrap(supabase().rpc('set_referral_code_active', { p_code: code, p_is_active: isActive }));
    },
  );
}

/** Revokes somebody's admin right from their next call on (TRUST-19). Errors: see revoke_admin. */
export function useRevokeAdmin() {
  return useAdminMutation('revoke_admin', async ({ userId, reason }: { userId: string; reason: string }) => {
    await unwrap(supabase().rpc('revoke_admin', { p_user_id: userId, p_reason: reason }));
  });
}

/** Undoes the revocation of an admin right (TRUST-19). Errors: see restore_admin. */
export function useRestoreAdmin() {
  return useAdminMutation('restore_admin', async ({ userId, reason }: { userId: string; reason: string }) => {
    await unwrap(supabase().rpc('restore_admin', { p_user_id: userId, p_reason: reason }));
  });
}

type Correction = { walletId: string; points: number; reason: string; onChecking: () => void };

/** The transfer that a correction with this key has made, null when there is none. */
const findCorrection = (key: string): Promise<{ id: number } | null> =>
  unwrap(supabase().from('transfers').select('id').eq('idempotency_key', `adjustment:${key}`).maybeSingle());

/**
 * Adds or removes points with a reason (TRUST-23), once also after a lost answer, a closed dialog or a reload (TRUST-21). Errors: see
 * adjust_points and sendOnce.
 */
export function useCorrectPoints() {
  return useAdminMutation('adjust_points', ({ walletId, points, reason, onChecking }: Correction) =>
    sendOnce<{ id: number }>(`correct-points.${walletId}`, {
      content: String(points),
      tellMade: ({ id }) =>
        `The earlier correction went through after all, as transfer ${id}. Press again to make this one, too.`,
      send: (key) =>
        unwrap(
          supabase()
            .rpc('adjust_points', {
              p_wallet_id: walletId,
              p_points: points,
              p_reason: reason,
              p_idempotency_key: key,
            })
            .select('id')
            .single(),
        ),
      find: findCorrection,
      onChecking,
    }),
  );
}

/** Reverses a transfer that paid earned points (TRUST-23). Errors: see reverse_transfer. */
export function useReverseTransfer() {
  return useAdminMutation(
    'reverse_transfer',
    ({ transferId, reason }: { transferId: number; reason: string }): Promise<{ id: number }> =>
      unwrap(supabase().rpc('reverse_transfer', { p_transfer_id: transferId, p_note: reason }).select('id').single()),
  );
}
