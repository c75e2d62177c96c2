import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { AuthForm, useSession } from '@/lib/auth';

/** The hosted form, or what to do when its provider cannot be reached. */
export function AuthFormArea({ kind }: { kind: 'sign-in' | 'sign-up' }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  // The provider moves on to addresses below this one; it must come back to where it started.
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
