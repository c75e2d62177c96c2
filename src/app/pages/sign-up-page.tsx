import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { PageMeta } from '@/components/page-meta';
import { useSession } from '@/lib/auth';
import { AuthFormArea } from './auth-form-area';
import { AuthLayout } from './auth-layout';
import { isNewAccount, trackRegistration } from './registration';
import { RolePicker } from './role-picker';
import { SignedInNotice } from './signed-in-notice';
import { useAuthPage } from './use-auth-page';

/** Signing up (AUTH-04); afterwards the registration is reported once and the member is taken on (AUTH-05, AUTH-06). */
export default function SignUpPage() {
  const session = useSession();
  const { redirect, role, pickRole, otherPage } = useAuthPage('sign-in');

  useEffect(() => {
    if (session.status === 'signed-in' && isNewAccount(session)) trackRegistration(session.userId, role);
  }, [session, role]);

  if (session.status === 'signed-in') {
    const isNew = isNewAccount(session);
    return (
      <>
        <PageMeta title={isNew ? 'Welcome' : 'Already signed in'} />
        <SignedInNotice
          stamp={isNew ? 'Joined' : 'Welcome back'}
          title={isNew ? 'Welcome to Questboard' : 'Already Signed In!'}
          text={
            isNew
              ? 'Your account is ready. Taking you on in a moment.'
              : `You are signed in as ${session.email}. Taking you on in a moment.`
          }
          redirect={redirect}
        />
      </>
    );
  }

  return (
    <AuthLayout
      title="Join the Community"
      text="Do small jobs for new products, earn points, spend them on rewards."
      footer={
        <>
          Already have an account?{' '}
          <Link to={otherPage} className="font-semibold text-action underline underline-offset-4">
            Sign in
          </Link>
        </>
      }
    >
      <PageMeta title="Join the community" />
      <RolePicker value={role} onChange={pickRole} />
      <AuthFormArea kind="sign-up" />
    </AuthLayout>
  );
}
