import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** What the host sent with the page (lib/head/page-body.ts). Read before React empties the root. */
const sent = typeof document === 'undefined' ? null : document.querySelector('[data-first-page]')?.cloneNode(true);
const sentFor = typeof window === 'undefined' ? '' : window.location.pathname;

/**
 * The words that the host sent with this address, for as long as the page is on its way, so that nothing vanishes that somebody began to
 * read. `part`: the whole page while its code loads, its content while its data does. Elsewhere, and later: `fallback`.
 */
export function FirstContent({ part, fallback }: { part: 'page' | 'content'; fallback: ReactNode }) {
  const { pathname } = useLocation();
  const place = useRef<HTMLDivElement>(null);
  const isSent = sent instanceof Element && pathname === sentFor;
  useLayoutEffect(() => {
    if (!isSent || !place.current) return;
    const shown = part === 'page' ? sent : sent.querySelector('[data-first-content]');
    if (shown) place.current.replaceChildren(shown.cloneNode(true));
  }, [isSent, part]);
  return isSent ? <div ref={place} aria-busy="true" /> : fallback;
}
