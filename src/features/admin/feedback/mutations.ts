import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../use-admin-mutation';

export type FeedbackDecision = { feedbackId: string; status: 'reviewed' | 'resolved'; notes: string };

/** Marks feedback and keeps the admin's note; an empty note leaves the former one. Errors: see update_beta_feedback. */
export function useUpdateFeedback() {
  return useAdminMutation('update_beta_feedback', async ({ feedbackId, status, notes }: FeedbackDecision) => {
    await unwrap(
      supabase().rpc('update_beta_feedback', {
        p_feedback_id: feedbackId,
        p_status: status,
        p_admin_notes: notes.trim() || undefined,
      }),
    );
  });
}
