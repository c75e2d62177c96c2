import { useMutation } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';
import type { NotificationKind } from './queries';

/** Marks one notification as read, while its link is being followed. */
export function useMarkRead() {
  return useMutation({
    mutationFn: async (id: number) => {
      await unwrap(supabase().rpc('mark_notification_read', { p_notification_id: id }));
    },
    meta: { calls: ['mark_notification_read'], refetch: 'background' },
  });
}

/** Marks everything as read up to the notification with this id, the newest on the screen. */
export function useMarkAllRead() {
  return useMutation({
    mutationFn: async (upTo: number) => {
      await unwrap(supabase().rpc('mark_all_notifications_read', { p_up_to: upTo }));
    },
    meta: { calls: ['mark_all_notifications_read'] },
  });
}

/** Switches the mails of one kind on or off, one call after the other, so that the last press counts. */
export function useSetMailPreference(kind: NotificationKind) {
  return useMutation({
    scope: { id: `mail ${kind}` },
    mutationFn: async (isMailed: boolean) => {
      await unwrap(supabase().rpc('set_notification_preference', { p_kind: kind, p_is_mailed: isMailed }));
    },
    meta: { calls: ['set_notification_preference'] },
  });
}
