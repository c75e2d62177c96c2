import type { Rejection } from '@/features/submissions';
import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';

/** Reverses an approval: opposite ledger entries, the slot is free again (TRUST-08). Errors: see reverse_submission. */
export function useReverseSubmission() {
  return useAdminMutation(
    'reverse_submission',
    async ({ submissionId, reason }: { submissionId: string; reason: string }) => {
      await unwrap(supabase().rpc('reverse_submission', { p_submission_id: submissionId, p_note: reason }));
    },
  );
}

/** Dismisses a flag with a reason for the audit log (BEY-02). Errors: see dismiss_submission_flag. */
export function useDismissFlag() {
  return useAdminMutation('dismiss_submission_flag', async ({ flagId, reason }: { flagId: string; reason: string }) => {
    await unwrap(supabase().rpc('dismiss_submission_flag', { p_flag_id: flagId, p_reason: reason }));
  });
}

/** A rejection has one of the six reasons (C-77). */
type ReviewInput = { submissionId: string } & (
  | { decision: 'approve'; note: string }
  | ({ decision: 'reject' } & Rejection)
);

/** Decides a pending submission in a dispute, through the owners' own procedure (C-43). Errors: see review_submission. */
export function useAdminReview() {
  return useAdminMutation('review_submission', async (input: ReviewInput) => {
    await unwrap(
      supabase().rpc('review_submission', {
        p_submission_id: input.submissionId,
        p_decision: input.decision,
        p_reason: input.decision === 'reject' ? input.reason : undefined,
        p_note: input.note || undefined,
      }),
    );
  });
}
