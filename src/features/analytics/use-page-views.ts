import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { analytics } from '@/lib/analytics';

/** Reports a view of each page, once per path (ANA-02). */
export function usePageViews(): void {
  const { pathname } = useLocation();
  useEffect(() => analytics.track('page_view', { label: pathname }), [pathname]);
}
