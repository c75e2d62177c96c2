import { useMutation, useQueryClient } from '@tanstack/react-query';
import { walletQueries } from '@/features/wallet';
import { AppError, nameFailure } from '@/lib/errors';
import { supabase, unwrap } from '@/lib/supabase';
import { referralQueries } from './queries';

/** Counts a visit through a code (REF-04). The answer says whether it counted; nobody needs it. */
export function useTrackReferralClick() {
  return useMutation({
    mutationFn: (code: string) => unwrap(supabase().rpc('track_referral_click', { p_code: code })),
  });
}

/** Claims the code that brought a new member; both sides are paid once (REF-05, REF-09). */
export function useProcessReferral() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, code }: { userId: string; code: string }) =>
      nameFailure(
        unwrap(supabase().rpc('process_referral_signup', { p_user_id: userId, p_code: code })),
        'REFERRAL_FAILED',
        'Failed to process referral',
      ),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: walletQueries.all() }),
        queryClient.invalidateQueries({ queryKey: referralQueries.all() }),
      ]),
  });
}

/** Makes the member's code where it is missing; failures read as the service words them (REF-10, REF-11). */
export function useCreateReferralCode() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const created = unwrap(supabase().rpc('create_user_referral_code'));
      const record = await nameFailure(created, 'REFERRAL_CODE_FAILED', 'Failed to create referral record');
      if (!record?.code) throw new AppError('REFERRAL_CODE_MISSING', 'Failed to fetch created referral record');
      return record;
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: referralQueries.all() }),
  });
}
