import { ClerkProvider, SignIn, SignUp, useAuth, useClerk, useUser } from '@clerk/react';
import { type RefObject, use, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { getEnv } from '../env';
import { paths } from '../paths';
import { isRole } from '../role';
import { RouterContext } from '../router-context';
import { appearance, firstStepAppearance, localization, stepAppearance } from './appearance';
import { isFirstAuthStep } from './auth-steps';
import { LazyClerkUi } from './lazy-clerk-ui';
import type { AuthFormSlot, Identity, ProviderActions } from './session';
import { setTokenSource } from './token';

type Props = {
  slot: AuthFormSlot | null;
  onIdentity: (identity: Identity) => void;
  actionsRef: RefObject<ProviderActions | null>;
};

/** Copies the provider's state into our session and exposes its token, sign-out and account page. */
function IdentityReporter({ onIdentity, actionsRef }: Omit<Props, 'slot'>) {
  const clerk = useClerk();
  const { isLoaded, getToken } = useAuth();
  const { user } = useUser();

  useEffect(() => {
    const handleStatus = (status: string) => {
      if (status === 'error') onIdentity({ status: 'signed-out', isUnavailable: true });
    };
    clerk.on('status', handleStatus, { notify: true });
    return () => clerk.off('status', handleStatus);
  }, [clerk, onIdentity]);

  useEffect(() => {
    setTokenSource((options) => getToken({ skipCache: options?.isFresh }));
    actionsRef.current = {
      signOut: () => clerk.signOut({ redirectUrl: paths.home }),
      openAccount: () => clerk.openUserProfile(),
    };
    return () => setTokenSource(null);
  }, [clerk, getToken, actionsRef]);

  useEffect(() => {
    if (!isLoaded) return;
    if (!user) return onIdentity({ status: 'signed-out' });
    const clerkRole = user.publicMetadata.role;
    onIdentity({
      status: 'signed-in',
      userId: user.id,
      email: user.primaryEmailAddress?.emailAddress ?? '',
      name: user.fullName ?? user.username ?? '',
      imageUrl: user.hasImage ? user.imageUrl : null,
      clerkRole: isRole(clerkRole) ? clerkRole : null,
      createdAt: user.createdAt?.getTime() ?? 0,
    });
  }, [isLoaded, user, onIdentity]);

  return null;
}

function HostedForm({ slot }: { slot: AuthFormSlot }) {
  const { pathname } = useLocation();
  const options = {
    appearance: isFirstAuthStep(pathname) ? firstStepAppearance : stepAppearance,
    fallbackRedirectUrl: slot.returnTo,
    signInUrl: paths.signIn(),
    signUpUrl: paths.signUp(),
  };
  const form =
    slot.kind === 'sign-in' ? (
      <SignIn routing="path" path={paths.signIn()} withSignUp={false} {...options} />
    ) : (
      <SignUp routing="path" path={paths.signUp()} {...options} />
    );
  return createPortal(form, slot.element);
}

/** The identity provider's React tree, the only module that imports its SDK. */
export default function ClerkBridge({ slot, ...reporter }: Props) {
  // The router itself, and not `useNavigate`: the provider keeps the functions of the first attempt to render this. When React
  // interrupts that one, its `navigate` belongs to a component that was never mounted, and drops every call.
  const router = use(RouterContext);
  const { VITE_CLERK_PUBLISHABLE_KEY: publishableKey = '', VITE_CLERK_PROXY_URL: proxyUrl } = getEnv();
  return (
    <ClerkProvider
      publishableKey={publishableKey}
      {...(proxyUrl ? { proxyUrl } : {})}
      ui={{ ClerkUI: LazyClerkUi }}
      prefetchUI={false}
      routerPush={(to) => router?.navigate(to)}
      routerReplace={(to) => router?.navigate(to, { replace: true })}
      signInUrl={paths.signIn()}
      signUpUrl={paths.signUp()}
      afterSignOutUrl={paths.home}
      appearance={appearance}
      localization={localization}
      telemetry={false}
    >
      <IdentityReporter {...reporter} />
      {slot && <HostedForm slot={slot} />}
    </ClerkProvider>
  );
}
