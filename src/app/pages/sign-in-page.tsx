import { useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { PageMeta } from '@/components/page-meta';
import { useSession } from '@/lib/auth';
import { AuthLayout, RolePicker, SignedInNotice, useAuthPage } from './auth-page';

/** Sign-in, and every /auth path that is not sign-up (AUTH-02, AUTH-03, ROUTE-06). */
export default function SignInPage() {
  const session = useSession();
  const { redirect, role, pickRole, otherPage } = useAuthPage('sign-up');
  const { key } = useLocation();
  const [wasSignedOut, setWasSignedOut] = useState(false);
  if (session.status === 'signed-out' && !wasSignedOut) setWasSignedOut(true);

  if (session.status === 'signed-in') {
    // Redirects at once after signing in here; only somebody who already was signed in gets the explanation (AUTH-06).
    // Checks the location, because the provider may navigate back here after we have already left.
    if (wasSignedOut) return <Navigate key={key} to={redirect} replace />;
    return (
      <>
        <PageMeta title="Already signed in" />
        <SignedInNotice
          badge="Welcome back"
          title="Already Signed In!"
          text={`You are signed in as ${session.email}. We are taking you there in a moment.`}
          redirect={redirect}
        />
      </>
    );
  }

  return (
    <AuthLayout
      kind="sign-in"
      title="Welcome back"
      text={
        role === 'startup_unverified'
          ? 'Sign in to see what came in for your quests.'
          : 'Sign in to pick up your quests where you left them.'
      }
      picker={<RolePicker value={role} onChange={pickRole} />}
    >
      <PageMeta title="Sign in" />
      <p className="text-center">
        New to Questboard?{' '}
        <Link to={otherPage} className="font-semibold text-action underline underline-offset-4">
          Sign up
        </Link>
      </p>
    </AuthLayout>
  );
}
