import { useMutation } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';

/** Where the footer's subscriptions come from; admins count them as website signups. */
const source = 'website';

/**
 * Asks for an address to be on the list, or back on it: a known one is no failure (MAIL-01, MAIL-02). `active`: it is,
 * because it is the caller's own; `confirm`: its holder gets a link to press first (C-82).
 */
export function useSubscribe() {
  return useMutation({
    mutationFn: (email: string) =>
      unwrap(
        supabase().rpc('subscribe_to_mailing_list', {
          p_email: email,
          p_source: source,
          p_metadata: {
            page_url: `${window.location.origin}${window.location.pathname}`,
            timestamp: new Date().toISOString(),
          },
        }),
      ),
  });
}

/** Puts the address behind the token of a confirmation mail on the list (C-82); again is no failure. */
export function useConfirmSubscription() {
  return useMutation({
    mutationFn: (token: string) => unwrap(supabase().rpc('confirm_mailing_list_subscription', { p_token: token })),
  });
}

/** Ends mails to the address behind the token of an unsubscribe link (MAIL-02, C-50); again is no failure. */
export function useUnsubscribe() {
  return useMutation({
    mutationFn: (token: string) => unwrap(supabase().rpc('unsubscribe_from_mailing_list', { p_token: token })),
  });
}
