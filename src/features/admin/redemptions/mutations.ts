import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../use-admin-mutation';

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
