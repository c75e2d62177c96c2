import { supabase, unwrap } from '@/lib/supabase';
import { useAdminMutation } from '../use-admin-mutation';

/** Has a given-up event tried again at once. Errors: see requeue_outbox_event. */
export function useRetryEvent() {
  return useAdminMutation('requeue_outbox_event', async (eventId: number) => {
    await unwrap(supabase().rpc('requeue_outbox_event', { p_event_id: eventId }).select('id'));
  });
}
