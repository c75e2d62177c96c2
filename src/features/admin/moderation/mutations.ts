import { useQueryClient } from '@tanstack/react-query';
import type { Rejection } from '@/features/submissions';
import { AppError, hadNoEffect } from '@/lib/errors';
import { notApplied } from '@/lib/send-once';
import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';
import { type AdminProject, projectQueries } from './queries';

type ApproveInput = { projectId: string; shownAs: AdminProject['status'] };

/** The note that an approval carries (ADMIN-03). */
const approvalNote = 'Approved by admin';

/** Code of an approval that was not sent, because another admin has rejected the project since it was read. */
export const rejectedMeanwhile = 'REJECTED_MEANWHILE';

/**
 * Verifies a project. One that was shown as pending is read again first: overruling a rejection has to be confirmed (C-91). Errors: see
 * set_startup_status; REJECTED_MEANWHILE.
 */
export function useApproveProject() {
  const queryClient = useQueryClient();
  return useAdminMutation('set_startup_status', async ({ projectId, shownAs }: ApproveInput) => {
    if (shownAs === 'pending') {
      const reading = queryClient.fetchQuery({ ...projectQueries.detail(projectId), staleTime: 0 });
      // Whatever became of the reading, nothing has been decided.
      const now = await reading.catch((error: unknown) => {
        throw hadNoEffect(error) ? error : notApplied(error);
      });
      if (now?.status === 'rejected')
        throw new AppError(rejectedMeanwhile, 'Another admin has rejected it meanwhile', 409);
    }
    await unwrap(
      supabase()
        .rpc('set_startup_status', { p_startup_id: projectId, p_status: 'verified', p_note: approvalNote })
        .select('id'),
    );
  });
}

/** Rejects a project with a reason that its owner reads. Errors: see set_startup_status. */
export function useRejectProject() {
  return useAdminMutation(
    'set_startup_status',
    async ({ projectId, reason }: { projectId: string; reason: string }) => {
      await unwrap(
        supabase()
          .rpc('set_startup_status', { p_startup_id: projectId, p_status: 'rejected', p_note: reason })
          .select('id'),
      );
    },
  );
}

/** Confirms a project that was verified automatically in beta (C-94). Errors: see mark_startup_checked. */
export function useCheckProject() {
  return useAdminMutation('mark_startup_checked', async ({ projectId, note }: { projectId: string; note: string }) => {
    await unwrap(
      supabase()
        .rpc('mark_startup_checked', { p_startup_id: projectId, p_note: note || undefined })
        .select('id'),
    );
  });
}

/**
 * Revokes a verification with a reason that the owner reads; the quests are held (C-91). Errors: see
 * revoke_verification.
 */
export function useRevokeVerification() {
  return useAdminMutation(
    'revoke_verification',
    async ({ projectId, reason }: { projectId: string; reason: string }) => {
      await unwrap(supabase().rpc('revoke_verification', { p_startup_id: projectId, p_reason: reason }).select('id'));
    },
  );
}

/** Accepts a verified project's new name or website (C-96). Errors: see confirm_startup_change. */
export function useConfirmChange() {
  return useAdminMutation('confirm_startup_change', async (projectId: string) => {
    await unwrap(supabase().rpc('confirm_startup_change', { p_startup_id: projectId }).select('id'));
  });
}

/** Takes a quest down: a hold with a reason that its owner reads (C-25, C-78). Errors: see unpublish_campaign. */
export function useTakeDownQuest() {
  return useAdminMutation('unpublish_campaign', async ({ questId, reason }: { questId: string; reason: string }) => {
    await unwrap(supabase().rpc('unpublish_campaign', { p_campaign_id: questId, p_reason: reason }));
  });
}

/** Lets the owner publish a held quest again. Errors: see lift_campaign_hold. */
export function useLiftHold() {
  return useAdminMutation('lift_campaign_hold', async (questId: string) => {
    await unwrap(supabase().rpc('lift_campaign_hold', { p_campaign_id: questId }));
  });
}

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
