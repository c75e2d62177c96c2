import { ClerkProvider, type ClerkProviderProps, SignIn, SignUp, useAuth, useClerk, useUser } from '@clerk/react';
import { buildClerkUIScriptAttributes, clerkUIScriptUrl } from '@clerk/react/internal';
import { type RefObject, use, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { getEnv } from '../env';
import { isFirstAuthStep, paths } from '../paths';
import { isRole } from '../role';
import { RouterContext } from '../router-context';
import { appearance, firstStepAppearance, localization, stepAppearance } from './appearance';
import type { AuthFormSlot, Identity, ProviderActions } from './session';
import { setTokenSource } from './token';

type Props = {
  slot: AuthFormSlot | null;
  onIdentity: (identity: Identity) => void;
  actionsRef: RefObject<ProviderActions | null>;
};

/** Milliseconds within which a session that ends after the form to delete the account was sent has ended with the account. */
const deletionTime = 60_000;

/** Copies the provider's state into our session and exposes its token, sign-out and account page. */
function IdentityReporter({ onIdentity, actionsRef }: Omit<Props, 'slot'>) {
  const clerk = useClerk();
  const { isLoaded, getToken } = useAuth();
  const { user } = useUser();
  const router = use(RouterContext);
  const reportedEmail = useRef<string | null>(null);
  const deletionSentAt = useRef(Number.NEGATIVE_INFINITY);

  // Remembers when the form was submitted. That it was open proves nothing, because a session can also end elsewhere, and after a lost
  // answer the form has gone before we hear of it.
  useEffect(() => {
    const handleSubmit = ({ target }: SubmitEvent) => {
      if (target instanceof HTMLFormElement && target.querySelector('[name="deleteConfirmation"]')) {
        deletionSentAt.current = Date.now();
      }
    };
    document.addEventListener('submit', handleSubmit, { capture: true });
    return () => document.removeEventListener('submit', handleSubmit, { capture: true });
  }, []);

  useEffect(() => {
    const handleStatus = (status: string) => {
      if (status === 'error') onIdentity({ status: 'signed-out', isUnavailable: true });
    };
    clerk.on('status', handleStatus, { notify: true });
    return () => clerk.off('status', handleStatus);
  }, [clerk, onIdentity]);

  useEffect(() => {
    setTokenSource(() => getToken());
    actionsRef.current = {
      signOut: () => {
        deletionSentAt.current = Number.NEGATIVE_INFINITY;
        return clerk.signOut({ redirectUrl: paths.home });
      },
      openAccount: () => clerk.openUserProfile(),
    };
    return () => setTokenSource(null);
  }, [clerk, getToken, actionsRef]);

  useEffect(() => {
    if (!isLoaded) return;
    if (!user) {
      reportedEmail.current = null;
      if (Date.now() - deletionSentAt.current > deletionTime) {
        // Signed out elsewhere: the provider would leave its empty overlay over the form to sign in.
        if (document.querySelector('.cl-userProfile-root')) clerk.closeUserProfile();
        return onIdentity({ status: 'signed-out' });
      }
      // Home first, as when signing out: the guard of the page below would ask the person to sign in. Not within an effect, where
      // flushSync cannot render.
      void Promise.resolve()
        .then(() => router?.navigate(paths.home, { flushSync: true }))
        .finally(() => onIdentity({ status: 'signed-out', isAccountDeleted: true }));
      return;
    }
    const clerkRole = user.publicMetadata.role;
    const email = user.primaryEmailAddress?.emailAddress ?? '';
    const hasMoved = reportedEmail.current !== null && reportedEmail.current !== email;
    reportedEmail.current = email;
    let isLatest = true;
    const report = () => {
      if (!isLatest) return;
      onIdentity({
        status: 'signed-in',
        userId: user.id,
        email,
        name: user.fullName ?? user.username ?? '',
        imageUrl: user.hasImage ? user.imageUrl : null,
        clerkRole: isRole(clerkRole) ? clerkRole : null,
        createdAt: user.createdAt?.getTime() ?? 0,
      });
    };
    // The cached token may still contain the old address, which a profile sync would store again.
    if (hasMoved) void getToken({ skipCache: true }).then(report, report);
    else report();
    return () => {
      isLatest = false;
    };
  }, [isLoaded, user, clerk, getToken, onIdentity, router]);

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

type ClerkUi = Awaited<NonNullable<NonNullable<ClerkProviderProps['ui']>['ClerkUI']>>;
type ClerkUiInstance = InstanceType<ClerkUi>;

declare global {
  interface Window {
    __internal_ClerkUICtor?: ClerkUi;
  }
}

let loading: Promise<ClerkUi> | undefined;

function loadScript(): Promise<ClerkUi> {
  const { VITE_CLERK_PUBLISHABLE_KEY: publishableKey = '', VITE_CLERK_PROXY_URL: proxyUrl } = getEnv();
  const options = { publishableKey, proxyUrl };
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = clerkUIScriptUrl(options);
    script.async = true;
    script.crossOrigin = 'anonymous';
    for (const [name, value] of Object.entries(buildClerkUIScriptAttributes(options))) script.setAttribute(name, value);
    script.onload = () => {
      if (window.__internal_ClerkUICtor) resolve(window.__internal_ClerkUICtor);
      else reject(new Error('The sign-in form did not load.'));
    };
    script.onerror = () => reject(new Error('The sign-in form did not load.'));
    document.head.append(script);
  });
}

/**
 * Proxy for the provider's form library, some 400 KB that only the auth pages need; loads it when a form is first
 * mounted. `prefetchUI: false` alone would leave the provider without any forms. Mounting names the component
 * (`preloadHint`); every other call concerns mounted forms only, and waits for the library.
 */
class LazyClerkUi implements ClerkUiInstance {
  static version = '1';
  version = '1';
  readonly #parameters: ConstructorParameters<ClerkUi>;
  #isAsked = false;
  readonly #instance = Promise.withResolvers<ClerkUiInstance>();

  constructor(...parameters: ConstructorParameters<ClerkUi>) {
    this.#parameters = parameters;
  }

  #load(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    // After a failure the next mount retries.
    loading ??= loadScript().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    loading.then((Ui) => this.#instance.resolve(new Ui(...this.#parameters)), this.#instance.reject);
  }

  async ensureMounted(options?: Parameters<ClerkUiInstance['ensureMounted']>[0]) {
    if (options?.preloadHint) this.#load();
    return (await this.#instance.promise).ensureMounted(options);
  }
}
