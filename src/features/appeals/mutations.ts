import { useMutation } from '@tanstack/react-query';
import { hadNoEffect } from '@/lib/errors';
import { findOut } from '@/lib/send-once';
import { supabase, unwrap } from '@/lib/supabase';
import { type AppealedDecision, fetchAppeal } from './queries';

type NewAppeal = { decision: AppealedDecision; words: string; onChecking?: () => void };

/**
 * Appeals against a suspension, a project's revocation or a rejection, once per decision. After a lost answer, an appeal against it is the
 * result (C-99). Errors: see submit_appeal and findOut.
 */
export function useSubmitAppeal() {
  return useMutation({
    mutationFn: async ({ decision, words, onChecking }: NewAppeal): Promise<void> => {
      const args = { p_kind: decision.kind, p_words: words, p_submission_id: decision.submissionId };
      try {
        await unwrap(supabase().rpc('submit_appeal', args).select('id'));
      } catch (error) {
        if (!hadNoEffect(error)) onChecking?.();
        await findOut(() => fetchAppeal(decision), error);
      }
    },
    meta: { calls: ['submit_appeal'] },
  });
}
