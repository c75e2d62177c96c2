import { use, useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { lazyOverlay } from '@/components/lazy-overlay';
import { toast } from '@/components/ui/toast';
import { AnalyticsTracker, ConsentBanner } from '@/features/analytics';
import { useSession } from '@/lib/auth';
import { RouterContext } from '@/lib/router-context';
import type { CommandMenuProps } from './command-menu';
import { onOpenCommandMenu } from './open-command-menu';

const CommandMenu = lazyOverlay<CommandMenuProps>(() => import('./command-menu'));

/**
 * Parts of the layout that are loaded after the first paint: analytics, notices, the command menu, and the service worker for
 * offline use.
 */
export default function LateParts() {
  useEffect(() => {
    // If service workers are disabled, as in some private windows, the app works without.
    if (import.meta.env.PROD) navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined);
  }, []);
  useDeletionNotice();
  useRestoredPlace();
  return (
    <>
      <AnalyticsTracker />
      <OfflineNotice />
      <ConsentBanner />
      <CommandMenuHost />
    </>
  );
}

/** Confirms that the account is deleted: the provider's window closes without a word. */
function useDeletionNotice() {
  const session = useSession();
  const isDeleted = session.status === 'signed-out' && session.isAccountDeleted;
  useEffect(() => {
    if (isDeleted) toast.success('Your account is deleted.');
  }, [isDeleted]);
}

/** Events of somebody doing something. Not `scroll`, which our own scrolling fires as well. */
const inputs = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** How long a page may take to grow to its height, in milliseconds. */
const growsFor = 10_000;

/**
 * Returns to the place at which somebody left a page, also after a reload or a longer absence (C-73). The router scrolls once, when the page has
 * nothing but its skeleton yet and is too short; this repeats it while the page grows, until the person does something. Being there once is not
 * enough: what loads above would move it, because the browser keeps in view what is there, which may be the footer.
 */
function useRestoredPlace() {
  const router = use(RouterContext);
  const { key } = useLocation();
  useEffect(() => {
    const place = router?.state.location.key === key ? router.state.restoreScrollPosition : null;
    if (!place) return;
    const stop = new AbortController();
    const growth = new ResizeObserver(() => window.scrollTo(0, place));
    stop.signal.addEventListener('abort', () => growth.disconnect());
    const timer = setTimeout(() => stop.abort(), growsFor);
    for (const name of inputs) {
      window.addEventListener(name, () => stop.abort(), { passive: true, signal: stop.signal });
    }
    growth.observe(document.body);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [router, key]);
}

/** Shows that the browser is offline, so that nobody takes the screen for up to date (BEY-12). */
function OfflineNotice() {
  const [isOffline, setIsOffline] = useState(!navigator.onLine);
  const session = useSession();
  const isUnknown = session.status === 'loading' || (session.status === 'signed-out' && session.isUnavailable);
  useEffect(() => {
    const handleChange = () => {
      setIsOffline(!navigator.onLine);
      // A page that was opened offline could not load the session, and does not retry by itself.
      if (navigator.onLine && isUnknown) window.location.reload();
    };
    window.addEventListener('online', handleChange);
    window.addEventListener('offline', handleChange);
    return () => {
      window.removeEventListener('online', handleChange);
      window.removeEventListener('offline', handleChange);
    };
  }, [isUnknown]);
  return (
    <div role="status" className="sticky top-16 z-20">
      {isOffline && (
        <p className="border-b bg-sunken px-4 py-2 text-center text-sm">
          You are offline. What you see may be out of date.
        </p>
      )}
    </div>
  );
}

function CommandMenuHost() {
  const [isOpen, setIsOpen] = useState(false);
  const [typedAhead, setTypedAhead] = useState('');
  useEffect(() => onOpenCommandMenu(() => setIsOpen(true)), []);
  if (!isOpen) return null;
  const handleClose = () => {
    setIsOpen(false);
    setTypedAhead('');
  };
  const keys = <KeyCatcher onType={(key) => setTypedAhead((text) => text + key)} onEscape={handleClose} />;
  return <CommandMenu isOpen onOpenChange={handleClose} pending={keys} typedAhead={typedAhead} />;
}

type KeyCatcherProps = { onType: (key: string) => void; onEscape: () => void };

/** Catches the keys that are meant for the menu while its code is loading: on the review desk, a single one approves a proof. */
function KeyCatcher({ onType, onEscape }: KeyCatcherProps) {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') onEscape();
    // The others have names: 'Enter', 'ArrowDown'.
    else if (event.key.length === 1) onType(event.key);
  });
  useEffect(() => {
    const handle = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener('keydown', handle, { capture: true });
    return () => window.removeEventListener('keydown', handle, { capture: true });
  }, []);
  return null;
}
