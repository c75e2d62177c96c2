import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isHydrated = true;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The page has come rendered, and the app is about to take it over. */
export function startHydration(): void {
  isHydrated = false;
}

/** The app has taken the page over, frame and all. */
export function endHydration(): void {
  isHydrated = true;
  for (const listener of listeners) listener();
}

/**
 * False while a page is rendered by the build and until the app has taken it over, else true. For what only a browser can know or do, and
 * for what reads data: React takes the page over after its frame, and it must find what the build has rendered, which had no data.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isHydrated,
    () => false,
  );
}
