import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';

/** Switches an address on or off (C-50). Errors: see set_mailing_list_active. */
export function useSwitchSubscriber() {
  return useAdminMutation('set_mailing_list_active', async ({ id, isActive }: { id: string; isActive: boolean }) => {
    await unwrap(supabase().rpc('set_mailing_list_active', { p_entry_id: id, p_is_active: isActive }));
  });
}
