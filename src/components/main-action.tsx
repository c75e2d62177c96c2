import { createContext, type ReactNode, use, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { phoneQuery, useMediaQuery } from '@/lib/use-media-query';

/** The bar at the bottom of a phone's screen. In a low window, as when zoomed in, it would cover too much and is not sticky. */
const barClass =
  'sticky bottom-0 z-20 -mx-4 flex flex-col gap-3 border-t bg-paper px-4 py-3 [@media(height<24rem)]:static';

/** The element of that bar; null before it is mounted, undefined where there is none. */
const BarContext = createContext<HTMLElement | null | undefined>(undefined);

/** A page with one primary action: `MainAction` inside it renders in place, on phones in a sticky bottom bar. */
export function MainActionPage({ children }: { children: ReactNode }) {
  const isPhone = useMediaQuery(phoneQuery);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  return (
    <BarContext value={isPhone ? bar : undefined}>
      {children}
      {isPhone && <div ref={setBar} className={`${barClass} empty:hidden`} />}
    </BarContext>
  );
}

/** The primary action, at most once on a page. */
export function MainAction({ children }: { children: ReactNode }) {
  const bar = use(BarContext);
  useLayoutEffect(() => {
    if (!bar) return;
    // Keeps floating elements clear of the bar.
    bar.dataset.stickyAction = '';
    return () => void delete bar.dataset.stickyAction;
  }, [bar]);
  if (bar === undefined) return children;
  return bar && createPortal(children, bar);
}

/** The primary action at the end of a page, such as a form's: sticks to the bottom on phones, in place elsewhere. */
export function StickyAction({ children }: { children: ReactNode }) {
  const isPhone = useMediaQuery(phoneQuery);
  return (
    <div
      {...(isPhone && { 'data-sticky-action': '' })}
      className={`${barClass} sm:static sm:mx-0 sm:flex-row sm:border-0 sm:p-0`}
    >
      {children}
    </div>
  );
}
