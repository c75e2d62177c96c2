import { lazy, Suspense, useSyncExternalStore } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { isToasterNeeded, setToastHandler, subscribeToToasts } from './toast';

const Toaster = lazy(() => import('./toaster'));

/** The first toast often says that there is no network, and without one its code cannot be fetched: the browser shows it then. */
const handleLost = () => void setToastHandler(({ text }) => window.alert(text));

/** Where toasts appear; mounted once by the app. Lazy-loaded with the first toast. */
export function AppToaster() {
  const isMounted = useSyncExternalStore(subscribeToToasts, isToasterNeeded, isToasterNeeded);
  return (
    <ErrorBoundary fallback={null} onError={handleLost}>
      <Suspense fallback={null}>{isMounted && <Toaster />}</Suspense>
    </ErrorBoundary>
  );
}
