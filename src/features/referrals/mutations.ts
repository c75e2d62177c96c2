import { useMutation } from '@tanstack/react-query';
import { rethrow } from '@/lib/errors';
import { supabase, unwrap } from '@/lib/supabase';

/** Counts a visit through a code (REF-04). Nothing depends on whether it counted. */
export function useTrackReferralClick() {
  return useMutation({
    mutationFn: (code: string) => unwrap(supabase().rpc('track_referral_click', { p_code: code })),
    meta: { calls: ['track_referral_click'] },
  });
}

/** Claims the referral code of a new member; each side is paid once (REF-05, REF-09). */
export function useProcessReferral() {
  return useMutation({
    mutationFn: ({ userId, code }: { userId: string; code: string }) =>
      unwrap(supabase().rpc('process_referral_signup', { p_user_id: userId, p_code: code })).catch(
        rethrow({ code: 'REFERRAL_FAILED', fallback: 'Failed to process referral' }),
      ),
    meta: { calls: ['process_referral_signup'] },
  });
}
