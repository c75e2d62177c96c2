import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isHydrated = true;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Marks the page as prerendered and not hydrated yet. */
export function startHydration(): void {
  isHydrated = false;
}

/** Marks the page as hydrated. */
export function endHydration(): void {
  isHydrated = true;
  for (const listener of listeners) listener();
}

/**
 * False during prerendering and until hydration has finished, then true. For anything that only a browser knows, and
 * for anything that reads data: React hydrates the page after its frame and must find the prerendered markup, which has
 * no data.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isHydrated,
    () => false,
  );
}
