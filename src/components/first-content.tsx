import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * Server-rendered content of the page (lib/head/page-body.ts). Read before React empties the root; none at build time.
 */
const sent = typeof document === 'undefined' ? null : document.querySelector('[data-first-page]');
const sentFor = typeof window === 'undefined' ? '' : window.location.pathname;

/**
 * Shows the server-rendered content of this URL while the page loads, so that nothing vanishes that somebody has begun
 * to read. `part`: the whole page while its code loads, its content while its data loads. On later pages: `fallback`.
 */
export function FirstContent({ part, fallback }: { part: 'page' | 'content'; fallback: ReactNode }) {
  const { pathname } = useLocation();
  const place = useRef<HTMLDivElement>(null);
  const isSent = sent !== null && pathname === sentFor;
  useLayoutEffect(() => {
    if (!isSent) return;
    const shown = part === 'page' ? sent : sent.querySelector('[data-first-content]');
    if (shown) place.current?.replaceChildren(shown.cloneNode(true));
  }, [isSent, part]);
  return isSent ? <div ref={place} aria-busy="true" /> : fallback;
}
