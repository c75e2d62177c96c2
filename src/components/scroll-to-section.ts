import { type QueryFilters, useIsFetching } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Events of somebody doing something. Not `scroll`, which our own scrolling fires as well. */
const inputs = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

const firstLoads: QueryFilters = { predicate: ({ state }) => state.status === 'pending' };

/**
 * Scrolls to the section that the link names ('/#pricing'), once the lazy-loaded page has rendered it, and again after each query that has
 * loaded, which may have pushed the section down. Stops as soon as the person does something. Renders nothing; it is a component because each
 * of these queries renders it again, which a hook would do to the whole page.
 */
export function ScrollToSection(): null {
  const { hash, key } = useLocation();
  const loading = useIsFetching(firstLoads);
  /** Key of the navigation after which the person has done something. */
  const left = useRef<string | null>(null);
  useEffect(() => {
    const leave = () => {
      left.current = key;
    };
    for (const name of inputs) window.addEventListener(name, leave, { passive: true });
    return () => {
      for (const name of inputs) window.removeEventListener(name, leave);
    };
  }, [key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has loaded may have moved the section
  useEffect(() => {
    if (hash && left.current !== key) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, key, loading]);
  return null;
}
