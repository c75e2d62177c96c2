import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../use-admin-mutation';

/** Suspends a person with a reason that they read (BEY-04). Errors: see suspend_user. */
export function useSuspend() {
  return useAdminMutation('suspend_user', async ({ userId, reason }: { userId: string; reason: string }) => {
    await unwrap(supabase().rpc('suspend_user', { p_user_id: userId, p_reason: reason }));
  });
}

/** Ends a suspension. Errors: see lift_suspension. */
export function useLiftSuspension() {
  return useAdminMutation('lift_suspension', async ({ userId, note }: { userId: string; note: string }) => {
    await unwrap(supabase().rpc('lift_suspension', { p_user_id: userId, p_note: note || undefined }));
  });
}
