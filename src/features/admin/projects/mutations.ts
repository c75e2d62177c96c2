import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';

/** The note that an approval carries (ADMIN-03). */
const approvalNote = 'Approved by admin';

/** Verifies a project. Errors: see set_startup_status. */
export function useApproveProject() {
  return useAdminMutation('set_startup_status', async (projectId: string) => {
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
