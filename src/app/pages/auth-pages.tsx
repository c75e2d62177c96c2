import { KeyRound, Rocket, Users } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { Notice } from '@/components/notice';
import { PageMeta } from '@/components/page-meta';
import { OutlinedBadge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { RadioCards } from '@/components/ui/radio-cards';
import { Spinner } from '@/components/ui/spinner';
import { useStartupRole } from '@/features/account';
import { PendingInvitation } from '@/features/referrals';
import { analytics } from '@/lib/analytics';
import { AuthForm, useSession } from '@/lib/auth';
import { authPageOf, isFirstAuthStep, parseRedirect, paths } from '@/lib/paths';
import { asFounder, homePathForRole, isStartupRole, storeRole, useIsRoleResolved } from '@/lib/role';
import { localFlag, readSessionStorage, readStorage, writeSessionStorage } from '@/lib/storage';

/** Sign-in, and every /auth path that is not sign-up (AUTH-02, AUTH-03, ROUTE-06). */
export function SignInPage() {
  const session = useSession();
  const { redirect, role, pickRole, otherPage } = useAuthPage('sign-up');
  const { key, pathname, search, hash, state } = useLocation();
  const [wasSignedOut, setWasSignedOut] = useState(false);
  if (session.status === 'signed-out' && !wasSignedOut) setWasSignedOut(true);

  if (session.status === 'signed-in') {
    // Redirects at once after signing in here; only somebody who already was signed in gets the explanation (AUTH-06).
    // Checks the location, because the provider may navigate back here after we have already left.
    if (wasSignedOut) return <Navigate key={key} to={redirect} replace />;
    return <SignedInNotice email={session.email} isNew={false} redirect={redirect} />;
  }

  // The provider's form is empty at any other address.
  if (authPageOf(pathname) !== paths.signIn()) {
    return <Navigate to={{ pathname: paths.signIn(), search, hash }} state={state} replace />;
  }

  return (
    <AuthLayout
      kind="sign-in"
      title="Welcome back"
      text={
        role === 'startup_unverified'
          ? 'Sign in to see the new proofs for your quests.'
          : 'Sign in to pick up your quests where you left them.'
      }
      notice={<SignedOutNotice />}
      picker={<RolePicker value={role} onChange={pickRole} />}
    >
      <PageMeta title="Sign in" />
      <p className="text-center">
        New to Questboard?{' '}
        <Link to={otherPage} className={linkClass}>
          Sign up
        </Link>
      </p>
    </AuthLayout>
  );
}

/** Sign-up (AUTH-04); afterwards reports the registration once and redirects the member (AUTH-05, AUTH-06). */
export function SignUpPage() {
  const session = useSession();
  const { redirect, role, isFounder, pickRole, otherPage } = useAuthPage('sign-in');

  useEffect(() => {
    if (session.status === 'signed-in' && isNewAccount(session)) trackRegistration(session.userId, role);
  }, [session, role]);

  if (session.status === 'signed-in') {
    const Welcome = isFounder ? FounderNotice : SignedInNotice;
    return <Welcome email={session.email} isNew={isNewAccount(session)} redirect={redirect} />;
  }

  return (
    <AuthLayout
      kind="sign-up"
      title="Join the Community"
      text={
        role === 'startup_unverified'
          ? 'Post quests for your product: real people try it, send proof, and tell you what they think.'
          : 'Do small jobs for new products, earn points, spend them on rewards.'
      }
      notice={role === 'community' && <PendingInvitation />}
      picker={<RolePicker value={role} onChange={pickRole} />}
    >
      <PageMeta title="Join the community" />
      <p className="text-center text-muted text-sm">
        By signing up you agree to our{' '}
        <Link to={paths.terms} className={linkClass}>
          terms of use
        </Link>{' '}
        and have read our{' '}
        <Link to={paths.privacy} className={linkClass}>
          privacy policy
        </Link>
        .
      </p>
      <p className="text-center">
        Already have an account?{' '}
        <Link to={otherPage} className={linkClass}>
          Sign in
        </Link>
      </p>
    </AuthLayout>
  );
}

/** Long enough to read one line, in milliseconds. */
const landingDelay = 1200;

/** Landing page after signing in; redirects to the home of the role (AUTH-07). */
export function AppDashboardPage() {
  const session = useSession();
  const home = homePathForRole(session.role);
  const isRoleResolved = useIsRoleResolved(session.clerkRole, session.userId);
  useDelayedRedirect(isRoleResolved ? home : null, landingDelay);

  return (
    <CenteredMessage>
      <PageMeta title="Welcome" />
      <h1 className="text-3xl">Welcome! Taking you to your dashboard...</h1>
      <Spinner label="One moment" className="text-action" />
      <div className="flex flex-wrap justify-center gap-3">
        <Button asChild>
          <Link to={home} replace>
            Go now
          </Link>
        </Button>
        {isStartupRole(session.role) && (
          <Button variant="secondary" asChild>
            <Link to={paths.community} replace>
              Stay in the community
            </Link>
          </Button>
        )}
      </div>
      <details className="text-left text-muted text-sm">
        <summary className="min-h-11 py-3">Debug info</summary>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4">
          <dt>Session</dt>
          <dd>{session.status}</dd>
          <dt>User</dt>
          <dd>{session.userId}</dd>
          <dt>Active role</dt>
          <dd>{session.role}</dd>
          <dt>Provider role</dt>
          <dd>{session.clerkRole ?? 'none'}</dd>
          <dt>Going to</dt>
          <dd>{home}</dd>
        </dl>
      </details>
    </CenteredMessage>
  );
}

/** Every /auth address while no identity provider is configured (ROUTE-18). */
export function AuthNotConfiguredPage() {
  return (
    <CenteredMessage>
      <PageMeta title="Authentication Not Configured" />
      <KeyRound aria-hidden="true" className="size-10 text-field" />
      <h1 className="text-3xl">Authentication Not Configured</h1>
      <p className="max-w-prose text-muted">Signing in is not set up on this site yet. Browsing still works.</p>
      <Button asChild>
        <Link to={paths.browse()}>Browse Quests</Link>
      </Button>
    </CenteredMessage>
  );
}

/** For members who start a project: they have an account already, but their home is the community's. */
function FounderNotice(props: ComponentProps<typeof SignedInNotice>) {
  const { isSettled } = useStartupRole();
  return <SignedInNotice {...props} redirect={isSettled ? props.redirect : null} />;
}

const linkClass = 'font-semibold text-action underline underline-offset-4';

/** An account younger than this was created in this visit, in milliseconds. */
const newAccountAge = 10 * 60 * 1000;

/** The provider may return from another site, so "was signed out before" does not prove a registration. */
function isNewAccount({ createdAt }: { createdAt: number }, now = Date.now()): boolean {
  return now - createdAt < newAccountAge;
}

/** Reports the registration conversion and the user journey, once per user (AUTH-05). */
function trackRegistration(userId: string, role: string): void {
  if (localFlag.isSet('registrationTracked', userId)) return;
  localFlag.set('registrationTracked', userId);
  analytics.track('registration_conversion', { role });
  analytics.track('user_journey', { step: 'registered', role });
}

type AuthLayoutProps = {
  kind: 'sign-in' | 'sign-up';
  title: string;
  text: string;
  /** Shown above the form, also on its further steps. */
  notice?: ReactNode;
  /** Shown before the form. */
  picker: ReactNode;
  /** Shown below the form. */
  children?: ReactNode;
};

/**
 * The shared layout of signing in and signing up (AUTH-02, AUTH-04). It introduces the first step; further steps have
 * their own header in the form, and no role picker.
 */
function AuthLayout({ kind, title, text, notice, picker, children }: AuthLayoutProps) {
  const isFirstStep = isFirstAuthStep(useLocation().pathname);
  return (
    <div className="board-grain min-h-[calc(100dvh-4rem)]">
      <div className="mx-auto grid w-full max-w-lg gap-6 px-4 py-10">
        {isFirstStep && (
          <div className="text-center">
            <h1 className="text-3xl">{title}</h1>
            <p className="mt-2 text-muted">{text}</p>
          </div>
        )}
        {notice}
        <Card padding="lg" className="grid gap-6">
          {isFirstStep && picker}
          <AuthFormArea kind={kind} />
        </Card>
        {isFirstStep && children}
      </div>
    </div>
  );
}

/** For whoever was signed out on another page without asking for it (app/guards.tsx). */
function SignedOutNotice() {
  const { state } = useLocation();
  // The provider navigates without the state.
  const [signedOut] = useState(state?.signedOut);
  if (!signedOut) return null;
  return (
    <Notice title="You were signed out">
      Sign in again to continue where you left off.
      {signedOut.isTextLost === true && ' What you had not saved there was lost.'}
    </Notice>
  );
}

/** The hosted form, or what to do when its provider cannot be reached. */
function AuthFormArea({ kind }: { kind: 'sign-in' | 'sign-up' }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  // The provider navigates to URLs below this one and must return to where it started.
  const [returnTo] = useState(`${pathname}${search}`);

  if (session.status === 'signed-out' && session.isUnavailable) {
    return (
      <div role="alert" className="grid justify-items-center gap-4 rounded-card bg-danger-soft p-6 text-center">
        <p className="font-medium">
          The sign-in service could not be reached. Please check your connection and try again.
        </p>
        <Button variant="secondary" onClick={() => window.location.reload()}>
          Retry
        </Button>
      </div>
    );
  }
  return <AuthForm kind={kind} returnTo={returnTo} />;
}

/** Delay before redirecting a signed-in visitor, in milliseconds (AUTH-05, AUTH-06). */
const authRedirectDelay = 3000;

/** Redirects to `to` after the delay, unless the visitor leaves before. Null: the target is not known yet. */
function useDelayedRedirect(to: string | null, delay = authRedirectDelay): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (to === null) return;
    const timer = setTimeout(() => navigate(to, { replace: true }), delay);
    return () => clearTimeout(timer);
  }, [navigate, to, delay]);
}

type SignedInNoticeProps = {
  email: string;
  /** The account was created in this visit. */
  isNew: boolean;
  /** Null: not known yet. */
  redirect: string | null;
};

/** Shows the status, redirects after 3 seconds and offers to continue immediately (AUTH-05, AUTH-06). */
function SignedInNotice({ email, isNew, redirect }: SignedInNoticeProps) {
  useDelayedRedirect(redirect);
  return (
    <CenteredMessage>
      <PageMeta title={isNew ? 'Welcome' : 'Already signed in'} />
      <OutlinedBadge tone="action" size="md" className="animate-stamp">
        {isNew ? 'Joined' : 'Welcome back'}
      </OutlinedBadge>
      <h1 className="text-3xl">{isNew ? 'Welcome to Questboard' : 'Already Signed In!'}</h1>
      <p role="status" className="text-muted">
        {isNew ? 'Your account is ready.' : `You are signed in as ${email}.`} We are taking you there in a moment.
      </p>
      {redirect !== null && (
        <Button asChild>
          <Link to={redirect} replace>
            Continue now
          </Link>
        </Button>
      )}
    </CenteredMessage>
  );
}

type PickedRole = 'community' | 'startup_unverified';

const options = [
  { value: 'community', title: 'Community Member', text: 'Complete quests and earn rewards', icon: Users },
  { value: 'startup_unverified', title: 'Startup', text: 'Launch growth quests', icon: Rocket },
] as const;

/** 'I am a …' (AUTH-02). */
function RolePicker({ value, onChange }: { value: PickedRole; onChange: (role: PickedRole) => void }) {
  return <RadioCards label="I am a" options={options} value={value} onChange={onChange} />;
}

/** A role from a link or from storage, null for any that the picker does not offer. */
function parsePickedRole(role: unknown): PickedRole | null {
  return role === 'community' || role === 'startup_unverified' ? role : null;
}

/**
 * The query string with which somebody came. The provider's forms navigate to their own URLs and drop it; a reload there, as
 * phones do while their owner looks for the code in the mail, finds it in the tab's storage.
 */
function useFirstParams(): URLSearchParams {
  const { pathname, search } = useLocation();
  const [kept] = useState(() =>
    isFirstAuthStep(pathname) || search ? search : (readSessionStorage('authParams') ?? ''),
  );
  useEffect(() => void writeSessionStorage('authParams', kept || null), [kept]);
  return useMemo(() => new URLSearchParams(kept), [kept]);
}

/**
 * Parameters of both auth pages from the URL, and the link to the other page with the same parameters (AUTH-03). A role
 * in the URL or in the link's state counts like a click: it is stored for whoever signs in here (C-67).
 */
function useAuthPage(other: 'sign-in' | 'sign-up') {
  const params = useFirstParams();
  const { state } = useLocation();
  const requested = params.get('redirect');
  // The provider navigates without the state.
  const [isForFounders] = useState(state?.role === asFounder.role);
  const asked = parsePickedRole(params.get('role') ?? (isForFounders ? asFounder.role : null));
  const [role, setRole] = useState(() => asked ?? parsePickedRole(readStorage('selectedRole')) ?? 'community');
  const isSignedOut = useSession().status === 'signed-out';

  useEffect(() => {
    if (isSignedOut && asked) storeRole(role);
  }, [isSignedOut, asked, role]);

  const pickRole = (next: PickedRole) => {
    setRole(next);
    storeRole(next);
  };
  const wishes = { redirect: requested ?? undefined, role: role === 'community' ? undefined : role };
  return {
    redirect: parseRedirect(requested),
    role,
    /** Whether a link for founders led here and nothing else was picked. */
    isFounder: isForFounders && role === asFounder.role,
    pickRole,
    otherPage: other === 'sign-in' ? paths.signIn(wishes) : paths.signUp(wishes),
  };
}
