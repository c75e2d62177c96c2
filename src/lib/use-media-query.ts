import { useSyncExternalStore } from 'react';

/** Whether a media query matches. Prefer CSS; this is for content of which only one form may be rendered, such as a table or cards. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
  );
}
