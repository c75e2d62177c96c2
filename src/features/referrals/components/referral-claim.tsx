import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { accountQueries } from '@/features/account';
import { useSession } from '@/lib/auth';
import { isRefusal, isSessionExpired } from '@/lib/errors';
import { useProcessReferral } from '../mutations';
import { keepPendingReferral, readPendingReferral, usePendingReferral } from '../pending-referral';

/**
 * Claims the pending code as soon as the member's profile exists (REF-05). The code is forgotten once the server has answered, also
 * when it refused (C-66); without an answer it waits for the next visit. Renders nothing; failures stay silent (ERR-04).
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
        onSuccess: forget,
        onError: (error) => {
          if (isRefusal(error) && !isSessionExpired(error)) forget();
        },
      },
    );
  }, [userId, hasProfile, code, processReferral]);

  return null;
}
