import { lazy, Suspense, useSyncExternalStore } from 'react';
import { isToasterNeeded, subscribeToToasts } from './toast';

const Toaster = lazy(() => import('./toaster'));

/** Where toasts appear; mounted once by the app. Lazy-loaded with the first toast. */
export function AppToaster() {
  const isMounted = useSyncExternalStore(subscribeToToasts, isToasterNeeded, isToasterNeeded);
  return <Suspense fallback={null}>{isMounted && <Toaster />}</Suspense>;
}
