import { useSyncExternalStore } from 'react';

/** Whether a media query matches. Prefer CSS; this is for content that must be rendered in only one of its forms, such as table or cards. */
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
