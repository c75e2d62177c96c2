import { useMutation } from '@tanstack/react-query';
import { findOut, untilAnswered } from '@/lib/send-once';
import { supabase, unwrap } from '@/lib/supabase';
import { fetchMailPreferences, type NotificationKind } from './queries';

/** Marks one notification as read, while its link is being followed. */
export function useMarkRead() {
  return useMutation({
    mutationFn: async (id: number) => {
      await unwrap(supabase().rpc('mark_notification_read', { p_notification_id: id }));
    },
    meta: { calls: ['mark_notification_read'], refetch: 'background' },
  });
}

/** Marks everything as read up to the notification with this id, the newest on the screen; idempotent. */
export function useMarkAllRead() {
  return useMutation({
    mutationFn: (upTo: number) =>
      untilAnswered(async () => {
        await unwrap(supabase().rpc('mark_all_notifications_read', { p_up_to: upTo }));
        return true;
      }),
    meta: { calls: ['mark_all_notifications_read'] },
  });
}

/**
 * Switches the mails of one kind on or off, one call after the other, so that the last press counts. After a lost answer, what is stored is
 * the result (C-99).
 */
export function useSetMailPreference(kind: NotificationKind) {
  return useMutation({
    scope: { id: `mail ${kind}` },
    mutationFn: async (isMailed: boolean) => {
      const call = supabase().rpc('set_notification_preference', { p_kind: kind, p_is_mailed: isMailed });
      const findSaved = async () => {
        const saved = (await fetchMailPreferences()).find((each) => each.kind === kind);
        return saved?.is_mailed === isMailed ? saved : null;
      };
      await unwrap(call).catch((error: unknown) => findOut(findSaved, error));
    },
    meta: { calls: ['set_notification_preference'] },
  });
}
