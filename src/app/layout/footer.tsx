import { lazy } from 'react';
import { useMatches } from 'react-router-dom';
import { LatePart } from '@/components/lazy';
import { ConsentLink } from '@/features/analytics';
import { useIsHydrated } from '@/lib/use-is-hydrated';
import { LegalLinks, ThemeToggle } from './footer-parts';

// Below the fold, so its code is not part of the first route.
const FullFooter = lazy(() => import('./full-footer'));

/** Marks routes with a reduced footer, without the newsletter. */
export const workScreen = { footer: 'slim' };

/** Footer of every page; reduced on work screens. */
export function Footer() {
  const isWorkScreen = useMatches().some(({ handle }) => handle === workScreen);
  const isHydrated = useIsHydrated();
  if (isWorkScreen) return <SlimFooter />;
  // Also the footer of prerendered pages: input in a form that is not hydrated yet would get lost.
  const space = <div id="footer" className="h-96 print:hidden" />;
  return (
    <LatePart pending={space} lost={<SlimFooter />}>
      {isHydrated ? <FullFooter /> : space}
    </LatePart>
  );
}

function SlimFooter() {
  return (
    <footer className="border-t print:hidden">
      <div className="page-column flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2 text-muted text-sm">
        <p>© {new Date().getFullYear()} Questboard</p>
        <LegalLinks className="flex flex-wrap gap-x-5" />
        <ConsentLink />
        <ThemeToggle />
      </div>
    </footer>
  );
}
