import { useMutation } from '@tanstack/react-query';
import { AppError } from '@/lib/errors';
import { untilAnswered } from '@/lib/send-once';
import { supabase, unwrap } from '@/lib/supabase';

// Apart from the other mutations, which the home page loads.

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
