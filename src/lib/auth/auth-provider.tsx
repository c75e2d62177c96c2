import { useQueryClient } from '@tanstack/react-query';
import {
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useNavigate } from 'react-router-dom';
import { confirmLeave } from '../confirm-leave';
import { isAuthConfigured } from '../env';
import { paths } from '../paths';
import { resetQueryCache } from '../query-client';
import { storeRole } from '../role';
import { forgetPrivateStorage } from '../storage';
import { AuthContext, type AuthFormSlot, type Identity, type ProviderActions } from './session';
import { tokenExpectation } from './token';

const ClerkBridge = lazy(() => import('./clerk-bridge'));

/** True after the first paint, so that the provider's script does not compete with the page. */
function useHasPainted(): boolean {
  const [hasPainted, setHasPainted] = useState(false);
  useEffect(() => {
    // requestAnimationFrame runs before the paint, the timeout inside it after.
    let timer = 0;
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => setHasPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return hasPainted;
}

/**
 * Provides the session to the app. The provider's React tree is lazy-loaded as a sibling of the app rather than around
 * it, so that loading it rerenders only what reads the session. Visitors load it when they open a sign-in form.
 */
export function AuthProvider({ children }: { children: ReactNode }) {
  const isConfigured = isAuthConfigured();
  const navigate = useNavigate();
  const hasPainted = useHasPainted();
  const [identity, setIdentity] = useState<Identity>({ status: isConfigured ? 'loading' : 'signed-out' });
  const [slot, setFormSlot] = useState<AuthFormSlot | null>(null);
  const provider = useRef<ProviderActions | null>(null);
  const [isProviderNeeded, setIsProviderNeeded] = useState(false);

  useEffect(() => {
    if (!isConfigured || !hasPainted || isProviderNeeded) return;
    // Offline, the provider fails to load, which is what the pages have to know.
    if (slot || hasSessionCookie() || !navigator.onLine) {
      setIsProviderNeeded(true);
      return;
    }
    startTransition(() => setIdentity({ status: 'signed-out' }));
    const handleOtherTab = () => setIsProviderNeeded(hasSessionCookie());
    // Whoever signs in elsewhere stores a role.
    window.addEventListener('storage', handleOtherTab);
    window.addEventListener('focus', handleOtherTab);
    return () => {
      window.removeEventListener('storage', handleOtherTab);
      window.removeEventListener('focus', handleOtherTab);
    };
  }, [isConfigured, hasPainted, isProviderNeeded, slot]);

  /** Undefined until the identity is known, null for a visitor. */
  const userId = identity.status === 'loading' ? undefined : identity.status === 'signed-in' ? identity.userId : null;
  const shownUserId = useRef(userId);
  const queryClient = useQueryClient();

  const handleIdentity = useCallback(
    (next: Identity) => {
      const shown = shownUserId.current;
      const isLeaving = shown != null && (next.status !== 'signed-in' || next.userId !== shown);
      // Every card of a page reads the session: a transition leaves room for keys and presses between them.
      if (!isLeaving) return startTransition(() => setIdentity(next));
      // Discards a person's data as soon as they sign out, in another tab too, and before anything is shown to the next person.
      for (const query of queryClient.getQueryCache().getAll()) query.reset();
      setIdentity(next);
    },
    [queryClient],
  );
  const signOut = useCallback(async () => {
    if (!(await confirmLeave())) return;
    // Home first, synchronously: the guard of a page that is still on the screen would redirect the new visitor to sign in.
    await navigate(paths.home, { flushSync: true });
    await provider.current?.signOut();
    storeRole(null);
    forgetPrivateStorage(null);
  }, [navigate]);
  useEffect(() => {
    tokenExpectation.isExpected = Boolean(userId);
    if (shownUserId.current !== undefined && shownUserId.current !== userId) void resetQueryCache(queryClient);
    shownUserId.current = userId;
    if (userId) forgetPrivateStorage(userId);
  }, [userId, queryClient]);
  const openAccount = useCallback(() => provider.current?.openAccount(), []);
  const value = useMemo(() => ({ identity, signOut, openAccount, setFormSlot }), [identity, signOut, openAccount]);

  return (
    <AuthContext value={value}>
      {children}
      {isProviderNeeded && (
        // Offline, its code fails to load too, which must not take the public pages down.
        <ErrorBoundary fallback={null} onError={() => setIdentity({ status: 'signed-out', isUnavailable: true })}>
          <Suspense fallback={null}>
            <ClerkBridge slot={slot} onIdentity={handleIdentity} actionsRef={provider} />
          </Suspense>
        </ErrorBoundary>
      )}
    </AuthContext>
  );
}

/**
 * Whether the provider's cookies say that somebody is signed in in this browser: `__session` has the token, `__client_uat` the time of the
 * last change, 0 while nobody is signed in. Their names may end with the instance's suffix. Only the provider knows whether the session still
 * holds.
 */
function hasSessionCookie(): boolean {
  return document.cookie
    .split('; ')
    .some((cookie) => /^__(session|client_uat)(_\w+)?=./.test(cookie) && !cookie.endsWith('=0'));
}
