import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../mutations';

/** Requeues a failed event. Errors: see requeue_outbox_event. */
export function useRetryEvent() {
  return useAdminMutation('requeue_outbox_event', async (eventId: number) => {
    await unwrap(supabase().rpc('requeue_outbox_event', { p_event_id: eventId }).select('id'));
  });
}

/** Requeues every failed event; resolves to their number. Errors: see requeue_failed_events. */
export function useRetryAllEvents() {
  return useAdminMutation('requeue_failed_events', async () => unwrap(supabase().rpc('requeue_failed_events')));
}

/** Switches an address on or off (C-50). Errors: see set_mailing_list_active. */
export function useSwitchSubscriber() {
  return useAdminMutation('set_mailing_list_active', async ({ id, isActive }: { id: string; isActive: boolean }) => {
    await unwrap(supabase().rpc('set_mailing_list_active', { p_entry_id: id, p_is_active: isActive }));
  });
}
