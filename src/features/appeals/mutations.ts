import { useMutation } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';
import type { AppealKind } from './queries';

/** `submissionId`: the submission whose rejection is appealed. */
type NewAppeal = { kind: AppealKind; words: string; submissionId?: string };

/**
 * Appeals against a suspension, a project's revocation or a rejection, once per decision. Errors: see submit_appeal.
 */
export function useSubmitAppeal() {
  return useMutation({
    mutationFn: async ({ kind, words, submissionId }: NewAppeal): Promise<void> => {
      const args = { p_kind: kind, p_words: words, p_submission_id: submissionId };
      await unwrap(supabase().rpc('submit_appeal', args).select('id'));
    },
    meta: { calls: ['submit_appeal'] },
  });
}
