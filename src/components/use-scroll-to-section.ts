import { type QueryFilters, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

const firstLoads: QueryFilters = { predicate: ({ state }) => state.status === 'pending' };

/**
 * Scrolls to the section that the link names ('/#pricing'): when the page, which is loaded lazily, has one, and again until what loads above
 * it has come and pushes it down no further.
 */
export function useScrollToSection(): void {
  const { hash, key } = useLocation();
  const queryClient = useQueryClient();
  const loading = useIsFetching(firstLoads);
  const reached = useRef<string | null>(null);
  useEffect(() => {
    if (!hash || reached.current === key) return;
    document.getElementById(hash.slice(1))?.scrollIntoView();
    // Asked again, because the page's first queries have started since it was rendered.
    if (loading === 0 && queryClient.isFetching(firstLoads) === 0) reached.current = key;
  }, [hash, key, loading, queryClient]);
}
