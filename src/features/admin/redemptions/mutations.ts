import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';

export type RedemptionDecision = 'fulfilled' | 'cancelled';

/** Fulfils a pending redemption, or cancels it with a refund; the member reads the note (C-50). Errors: see set_redemption_status. */
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
      );
    },
  );
}

/** Result for one redemption of a batch: fulfilled, already handled, skipped as the admin's own or flagged, or not found. */
export type BatchOutcome = 'fulfilled' | 'handled' | 'own' | 'flagged' | 'not_found';

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
