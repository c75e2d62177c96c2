import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { eligibilityQueries } from './eligibility-queries';

/** The eligibility of a user, checked again when the tab becomes visible or the window gains focus (QNEW-04). */
export function useEligibility(userId: string) {
  const query = useQuery({ ...eligibilityQueries.check(userId), refetchOnWindowFocus: false });
  const { refetch } = query;

  useEffect(() => {
    const recheck = () => {
      // Returning fires both events; the second one joins the pending request.
      if (document.visibilityState === 'visible') refetch({ cancelRefetch: false });
    };
    document.addEventListener('visibilitychange', recheck);
    window.addEventListener('focus', recheck);
    return () => {
      document.removeEventListener('visibilitychange', recheck);
      window.removeEventListener('focus', recheck);
    };
  }, [refetch]);

  return query;
}
