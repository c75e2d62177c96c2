import { lazy, Suspense, useSyncExternalStore } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { isToasterNeeded, setToastHandler, subscribeToToasts } from './toast';

const Toaster = lazy(() => import('./toaster'));

/** The first toast often tells that there is no network, without which its code cannot come: the browser says it then. */
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
