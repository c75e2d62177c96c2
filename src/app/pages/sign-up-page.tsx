import { type ComponentProps, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { PageMeta } from '@/components/page-meta';
import { useStartupRole } from '@/features/account';
import { analytics } from '@/lib/analytics';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { localFlag } from '@/lib/storage';
import { AuthLayout, RolePicker, SignedInNotice, useAuthPage } from './auth-page';

/** Sign-up (AUTH-04); afterwards reports the registration once and redirects the member (AUTH-05, AUTH-06). */
export default function SignUpPage() {
  const session = useSession();
  const { redirect, role, isFounder, pickRole, otherPage } = useAuthPage('sign-in');

  useEffect(() => {
    if (session.status === 'signed-in' && isNewAccount(session)) trackRegistration(session.userId, role);
  }, [session, role]);

  if (session.status === 'signed-in') {
    const isNew = isNewAccount(session);
    const Notice = isFounder ? FounderNotice : SignedInNotice;
    return (
      <>
        <PageMeta title={isNew ? 'Welcome' : 'Already signed in'} />
        <Notice
          badge={isNew ? 'Joined' : 'Welcome back'}
          title={isNew ? 'Welcome to Questboard' : 'Already Signed In!'}
          text={
            isNew
              ? 'Your account is ready. We are taking you there in a moment.'
              : `You are signed in as ${session.email}. We are taking you there in a moment.`
          }
          redirect={redirect}
        />
      </>
    );
  }

  return (
    <AuthLayout
      kind="sign-up"
      title="Join the Community"
      text={
        role === 'startup_unverified'
          ? 'Pin quests for your product, and real people try it, tell you what they think, and prove it.'
          : 'Do small jobs for new products, earn points, spend them on rewards.'
      }
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
