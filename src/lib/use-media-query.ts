import { useCallback, useSyncExternalStore } from 'react';

/** Where a page has one column and its main action at the bottom. */
export const phoneQuery = '(width < 40rem)';

/** Whether a media query matches. Prefer CSS; this is for content of which only one form may be rendered, such as a table or cards. */
export function useMediaQuery(query: string): boolean {
  // A new function would subscribe anew at every render.
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
