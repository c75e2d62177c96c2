import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';

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
