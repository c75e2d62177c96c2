import { useEffect } from 'react';
import { isRefusal, isSessionExpired } from '@/lib/errors';
import { useProcessReferral } from './mutations';
import { keepPendingReferral, readPendingReferral, usePendingReferral } from './pending-referral';

/**
 * Claims the pending code for a signed-in member whose profile exists (null: not yet). The code is forgotten once the
 * server has answered, also when it refused (C-66); without an answer it waits for the next visit. Failures stay silent
 * (ERR-04).
 */
export function useClaimReferral(userId: string | null): void {
  const code = usePendingReferral();
  const { mutate: processReferral } = useProcessReferral();

  useEffect(() => {
    if (!userId || !code) return;
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
  }, [userId, code, processReferral]);
}
