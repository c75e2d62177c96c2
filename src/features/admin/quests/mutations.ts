import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';

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
