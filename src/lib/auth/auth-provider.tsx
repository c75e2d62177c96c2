import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useNavigate } from 'react-router-dom';
import { isAuthConfigured } from '../env';
import { paths } from '../paths';
import { storeRole } from '../role';
import { forgetPrivateStorage } from '../storage';
import { AuthContext, type AuthFormSlot, type Identity, type ProviderActions } from './session';

const ClerkBridge = lazy(() => import('./clerk-bridge'));

/** True from the first paint on. The provider's script must not compete with the page itself. */
function useHasPainted(): boolean {
  const [hasPainted, setHasPainted] = useState(false);
  useEffect(() => {
    // The frame's callback runs before the paint, the timeout in it after.
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
 * Tells the app who is signed in. The provider's React tree is loaded lazily and stands beside the app rather than
 * around it, so that its arrival re-renders only what reads the session.
 */
export function AuthProvider({ children }: { children: ReactNode }) {
  const isConfigured = isAuthConfigured();
  const navigate = useNavigate();
  const hasPainted = useHasPainted();
  const [identity, setIdentity] = useState<Identity>({ status: isConfigured ? 'loading' : 'signed-out' });
  const [slot, setFormSlot] = useState<AuthFormSlot | null>(null);
  const provider = useRef<ProviderActions | null>(null);

  const signOut = useCallback(async () => {
    // Home first: a guarded page would send the visitor it sees next to sign in again.
    await navigate(paths.home);
    await provider.current?.signOut();
    storeRole(null);
    forgetPrivateStorage(null);
  }, [navigate]);
  const signedInAs = identity.status === 'signed-in' ? identity.userId : null;
  useEffect(() => {
    if (signedInAs) forgetPrivateStorage(signedInAs);
  }, [signedInAs]);
  const openAccount = useCallback(() => provider.current?.openAccount(), []);
  const value = useMemo(() => ({ identity, signOut, openAccount, setFormSlot }), [identity, signOut, openAccount]);

  return (
    <AuthContext value={value}>
      {children}
      {isConfigured && hasPainted && (
        // Without a network its code does not come either; the pages that are open to all must not go down with it.
        <ErrorBoundary fallback={null} onError={() => setIdentity({ status: 'signed-out', isUnavailable: true })}>
          <Suspense fallback={null}>
            <ClerkBridge slot={slot} onIdentity={setIdentity} actionsRef={provider} />
          </Suspense>
        </ErrorBoundary>
      )}
    </AuthContext>
  );
}
