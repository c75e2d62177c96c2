import { useMutation } from '@tanstack/react-query';
import { untilAnswered } from '@/lib/send-once';
import { supabase, unwrap } from '@/lib/supabase';

/** Source of subscriptions from the footer; admins see them as website sign-ups. */
const source = 'website';

/**
 * Requests a subscription; a known address is not an error (MAIL-01, MAIL-02). `active`: subscribed at once, because it
 * is the caller's own verified address; `confirm`: the holder first has to open a mailed link (C-82).
 */
export function useSubscribe() {
  return useMutation({
    mutationFn: (email: string) => {
      const request = {
        p_email: email,
        p_source: source,
        p_metadata: {
          page_url: `${window.location.origin}${window.location.pathname}`,
          timestamp: new Date().toISOString(),
        },
      };
      return untilAnswered(() => unwrap(supabase().rpc('subscribe_to_mailing_list', request)));
    },
    meta: { calls: ['subscribe_to_mailing_list'] },
  });
}

/** Confirms a subscription by the token of the confirmation mail (C-82); idempotent. */
export function useConfirmSubscription() {
  return useMutation({
    mutationFn: (token: string) =>
      untilAnswered(async () => {
        await unwrap(supabase().rpc('confirm_mailing_list_subscription', { p_token: token }));
        return true;
      }),
    meta: { calls: ['confirm_mailing_list_subscription'] },
  });
}

/** Unsubscribes by the token of an unsubscribe link (MAIL-02, C-50); idempotent. */
export function useUnsubscribe() {
  return useMutation({
    mutationFn: (token: string) =>
      untilAnswered(async () => {
        await unwrap(supabase().rpc('unsubscribe_from_mailing_list', { p_token: token }));
        return true;
      }),
    meta: { calls: ['unsubscribe_from_mailing_list'] },
  });
}
