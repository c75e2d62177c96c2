import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';

type AppealDecision = { appealId: string; decision: 'uphold' | 'overturn'; answer: string };

/**
 * Decides an appeal once, with a note that the person reads; overturning undoes the appealed decision. Errors: see
 * decide_appeal.
 */
export function useDecideAppeal() {
  return useAdminMutation('decide_appeal', async ({ appealId, decision, answer }: AppealDecision) => {
    await unwrap(
      supabase().rpc('decide_appeal', { p_appeal_id: appealId, p_decision: decision, p_note: answer }).select('id'),
    );
  });
}
