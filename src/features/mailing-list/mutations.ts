import { useMutation } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';

/** Where the footer's subscriptions come from; admins count them as website signups. */
const source = 'website';

/** Puts an address on the list, or back on it: a known one is no failure (MAIL-01, MAIL-02). */
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
    meta: { calls: ['subscribe_to_mailing_list'] },
  });
}

/** Ends mails to the address behind the token of an unsubscribe link (MAIL-02, C-50); again is no failure. */
export function useUnsubscribe() {
  return useMutation({
    mutationFn: (token: string) => unwrap(supabase().rpc('unsubscribe_from_mailing_list', { p_token: token })),
    meta: { calls: ['unsubscribe_from_mailing_list'] },
  });
}
