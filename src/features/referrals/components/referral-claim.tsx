import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { toast } from '@/components/ui/toast';
import { accountQueries } from '@/features/account';
import { useSession } from '@/lib/auth';
import { isRateLimited, isRefusal, isSessionExpired } from '@/lib/errors';
import { useProcessReferral } from '../mutations';
import { arrivalText, keepPendingReferral, readPendingReferral, usePendingReferral } from '../referral-link';

/**
 * Claims the pending code as soon as the member's profile exists (REF-05). The code is forgotten once the server has answered, also
 * when it refused (C-66); without an answer, or when too many were invited today, it waits for the next visit. Tells when the bonus has
 * arrived; failures stay silent (ERR-04).
 */
export function ReferralClaim() {
  const { userId } = useSession();
  // Only the cache is watched: the sync at sign-in puts the profile there.
  const { data: profile } = useQuery({ ...accountQueries.profile(userId ?? ''), enabled: false });
  const hasProfile = Boolean(profile);
  const code = usePendingReferral();
  const { mutate: processReferral } = useProcessReferral();

  useEffect(() => {
    if (!userId || !hasProfile || !code) return;
    const forget = () => {
      // A newer link may have been opened meanwhile; its code is not answered yet.
      if (readPendingReferral() === code) keepPendingReferral(null);
    };
    processReferral(
      { userId, code },
      {
        onSuccess: ({ referred_reward_points }) => {
          forget();
          if (referred_reward_points > 0) toast.success(arrivalText(referred_reward_points));
        },
        onError: (error) => {
          if (isRefusal(error) && !isSessionExpired(error) && !isRateLimited(error)) forget();
        },
      },
    );
  }, [userId, hasProfile, code, processReferral]);

  return null;
}
