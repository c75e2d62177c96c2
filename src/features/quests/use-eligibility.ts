import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { eligibilityQueries } from './eligibility-queries';

/** The eligibility of a user, checked again when the tab becomes visible or the window gains focus (QNEW-04). */
export function useEligibility(userId: string) {
  const query = useQuery({ ...eligibilityQueries.check(userId), refetchOnWindowFocus: false });
  const { refetch } = query;

  useEffect(() => {
    const recheck = () => {
      // Coming back fires both events; the one that comes second joins the request under way.
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
