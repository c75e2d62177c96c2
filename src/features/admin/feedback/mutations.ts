import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';

export type FeedbackDecision = { feedbackId: string; status: 'reviewed' | 'resolved'; notes: string };

export const priorities = ['urgent', 'high', 'medium', 'other'] as const;
export type Priority = (typeof priorities)[number];

/** Sets the priority of feedback (C-108). Errors: see set_feedback_priority. */
export function useSetPriority() {
  return useAdminMutation(
    'set_feedback_priority',
    ({ feedbackId, priority }: { feedbackId: string; priority: Priority }) =>
      unwrap(supabase().rpc('set_feedback_priority', { p_feedback_id: feedbackId, p_priority: priority })),
  );
}

/**
 * Sets the status of feedback and the admin's note; an empty note keeps the previous one. Errors: see
 * update_beta_feedback.
 */
export function useUpdateFeedback() {
  return useAdminMutation('update_beta_feedback', ({ feedbackId, status, notes }: FeedbackDecision) =>
    unwrap(
      supabase().rpc('update_beta_feedback', {
        p_feedback_id: feedbackId,
        p_status: status,
        p_admin_notes: notes.trim() || undefined,
      }),
    ),
  );
}
