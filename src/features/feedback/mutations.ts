import { useMutation } from '@tanstack/react-query';
import { useSession } from '@/lib/auth';
import { AppError, type ErrorOverrides, hadNoEffect, isRateLimited, toAppError } from '@/lib/errors';
import { findOut, isRolledBack, untilAnswered } from '@/lib/send-once';
import { supabase, unwrap } from '@/lib/supabase';
import { fetchOwnReview, type ProjectFeedbackEntry } from './queries';
import type { FeedbackMessage } from './schema';

/** Message of a failure (FEED-05). Trying again does not help against a limit, so that keeps its own sentence. */
export const submitErrors: ErrorOverrides = {
  fallback: 'Failed to submit feedback. Please try again.',
  isMessageUseful: isRateLimited,
};

/**
 * Sends feedback on the product; the database takes the author from the token (FEED-03). Resolves to its id. After a lost answer it is sent
 * again, because the same message of the same sender is stored once (C-99). Nobody knows the sender of a visitor's message without an
 * address, who decides about sending it again.
 */
export function useSubmitBetaFeedback() {
  const { userId } = useSession();
  return useMutation({
    mutationFn: ({ type, title, description, rating, email }: FeedbackMessage) => {
      const send = () =>
        unwrap(
          supabase().rpc('submit_beta_feedback', {
            p_type: type,
            p_title: title,
            p_description: description,
            p_rating: rating,
            p_email: email,
          }),
        );
      if (userId || email) return untilAnswered(send);
      return send().catch((error: unknown) => {
        if (isRolledBack(error) || hadNoEffect(error)) throw error;
        const sentence =
          'No answer came, so we may have your feedback already. If you send it again, it may arrive twice.';
        throw new AppError('OUTCOME_UNKNOWN', sentence, toAppError(error).status, error);
      });
    },
    meta: { calls: ['submit_beta_feedback'] },
  });
}

/** Input of the form; `id`: the review to change, null for a new one. */
export type ReviewInput = { id: string | null; rating: number; text: string };

/**
 * Rates a project, or changes the caller's rating by its id (FEED-08). After a lost answer, a review that says the same is the result
 * (C-99). Throws AppError with the sentence to show; see findOut.
 */
export function useSaveReview(projectId: string) {
  return useMutation({
    mutationFn: ({ id, rating, text }: ReviewInput): Promise<ProjectFeedbackEntry> => {
      const words = text.trim();
      const review = { p_rating: rating, p_feedback_text: words };
      const findSaved = async () => {
        const own = await fetchOwnReview(projectId);
        return own?.rating === rating && own.feedback_text === words ? own : null;
      };
      return unwrap(
        id
          ? supabase().rpc('update_project_feedback', { p_feedback_id: id, ...review })
          : supabase().rpc('submit_project_feedback', { p_project_id: projectId, ...review }),
      ).catch((error: unknown) => findOut(findSaved, error));
    },
    meta: { calls: ['submit_project_feedback', 'update_project_feedback'] },
  });
}
