import { Suspense, useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom';
import { AnalyticsTracker, ConsentBanner } from '@/features/analytics';
import { FeedbackButton } from '@/features/feedback';
import { AuthProvider } from '@/lib/auth';
import { PageLoading } from '../pages/page-loading';
import { Footer } from './footer';
import { Header } from './header';

/** After a navigation the focus goes to the new page, as it would after a full load; screen readers then read its title. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/** The frame of every page: skip link, header, the page, footer. */
export function AppLayout() {
  const main = useFocusOnNavigation();
  return (
    <AuthProvider>
      <AnalyticsTracker />
      <div className="flex min-h-dvh flex-col">
        <a
          href="#main"
          className="sr-only z-50 rounded-control bg-ink px-4 py-3 font-semibold text-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to content
        </a>
        <Header />
        {/* As high as the screen, so that the footer waits below it and does not jump when a page arrives. */}
        <main id="main" ref={main} tabIndex={-1} className="min-h-[calc(100dvh-4rem)] grow outline-none">
          <Suspense fallback={<PageLoading />}>
            <Outlet />
          </Suspense>
        </main>
        <Footer />
      </div>
      <FeedbackButton />
      <ConsentBanner />
      <ScrollRestoration />
    </AuthProvider>
  );
}
