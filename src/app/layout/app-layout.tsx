import { lazy, Suspense, useEffect, useRef } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom';
import { usePageViews } from '@/features/analytics';
import { FeedbackProvider, FeedbackTab } from '@/features/feedback';
import { AuthProvider } from '@/lib/auth';
import { authPageOf } from '@/lib/paths';
import { useIsHydrated } from '@/lib/use-is-hydrated';
import { Footer } from './footer';
import { Header } from './header';
import { NavigationProgress, PageBoundary } from './page-boundary';

const LazyLateParts = lazy(() => import('./late-parts'));

/** Never prerendered. */
const LateParts = () => <Suspense fallback={null}>{useIsHydrated() && <LazyLateParts />}</Suspense>;

/**
 * After a navigation, focuses the new page as a full load would, so that screen readers announce its title. The steps
 * of signing in count as one page: each focuses its own field.
 */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const page = authPageOf(useLocation().pathname);
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    main.current?.focus({ preventScroll: true });
  }, [page]);
  return main;
}

/** The frame of every page: skip link, header, the page, footer. */
export function AppLayout() {
  const main = useFocusOnNavigation();
  usePageViews();
  return (
    <AuthProvider>
      <NavigationProgress />
      <FeedbackProvider>
        <div className="flex min-h-dvh flex-col">
          <a
            href="#main"
            className="sr-only z-50 rounded-control bg-ink px-4 py-3 font-semibold text-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
          >
            Skip to content
          </a>
          <Header />
          <ErrorBoundary fallback={null}>
            <LateParts />
          </ErrorBoundary>
          {/* As high as the screen, so that the footer stays below the fold and does not shift when a page loads. */}
          <main id="main" ref={main} tabIndex={-1} className="min-h-[calc(100dvh-4rem)] grow outline-none">
            <PageBoundary>
              <Outlet />
            </PageBoundary>
          </main>
          <FeedbackTab />
          <Footer />
        </div>
      </FeedbackProvider>
      <ScrollRestoration />
    </AuthProvider>
  );
}
