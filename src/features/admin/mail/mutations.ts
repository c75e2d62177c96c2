import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../use-admin-mutation';

/** Has a given-up event tried again at once. Errors: see requeue_outbox_event. */
export function useRetryEvent() {
  return useAdminMutation('requeue_outbox_event', async (eventId: number) => {
    await unwrap(supabase().rpc('requeue_outbox_event', { p_event_id: eventId }).select('id'));
  });
}

/** Has every given-up event tried again at once; resolves to their number. Errors: see requeue_failed_events. */
export function useRetryAllEvents() {
  return useAdminMutation('requeue_failed_events', async () => unwrap(supabase().rpc('requeue_failed_events')));
}
