import { useMutation } from '@tanstack/react-query';
import { AppError } from '@/lib/errors';
import { untilAnswered } from '@/lib/send-once';
import { supabase, unwrap } from '@/lib/supabase';

// Not in mutations.ts, which the home page loads: this would bring the look-up after a lost answer along.

/** Makes the member's code where it is missing (REF-10, REF-11); after a lost answer once more, because it is made once (C-99). */
export function useCreateReferralCode() {
  return useMutation({
    mutationFn: async () => {
      const record = await untilAnswered(() => unwrap(supabase().rpc('create_user_referral_code')));
      if (!record?.code) throw new AppError('REFERRAL_CODE_MISSING', 'Failed to fetch created referral record');
      return record;
    },
    meta: { calls: ['create_user_referral_code'] },
  });
}
