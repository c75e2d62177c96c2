import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { useSession } from '@/lib/auth';
import { confirmLeave, hasUnsavedChanges, losesUnsavedChanges } from '@/lib/confirm-leave';
import { paths } from '@/lib/paths';
import { homePathForRole, type Role, requireRole, useIsRoleResolved } from '@/lib/role';
import { PageLoading } from './layout/page-boundary';
import { PageLoadError } from './lazy-page';

function hasRole(role: Role, allowed: readonly Role[]): boolean {
  try {
    requireRole(role, allowed);
    return true;
  } catch {
    return false;
  }
}

/**
 * Renders its routes for signed-in users with one of these roles (any role when omitted). Waits while the session
 * loads, sends visitors to sign in and back (ROUTE-15, C-16), and everyone else to the home of their role (ROUTE-16).
 * The database protects the data; the guard only keeps people away from pages that would be empty for them (C-09).
 */
export function RequireSession({ roles }: { roles?: readonly Role[] }) {
  const session = useSession();
  const isRoleResolved = useIsRoleResolved(session.clerkRole, session.userId);
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (session.status === 'signed-in' && !wasSignedIn) setWasSignedIn(true);

  // Offline, nobody can be signed in, and redirecting to a form would not help.
  const isUnknown = session.status === 'loading' || (session.status === 'signed-out' && session.isUnavailable);
  if (isUnknown && !navigator.onLine) throw new PageLoadError('No network');
  if (session.status === 'loading') return <PageLoading />;
  if (session.status === 'signed-out') return <SignInFirst wasSignedIn={wasSignedIn} />;
  const isForbidden = roles !== undefined && !hasRole(session.role, roles);
  if (isForbidden && !isRoleResolved) return <PageLoading />;
  const home = homePathForRole(session.role);
  // The role can change in another tab while somebody is filling in a form here.
  if (isForbidden && !hasUnsavedChanges()) return <Navigate to={home} replace />;
  return (
    <>
      <Outlet />
      {isForbidden && <LeaveAfterAsking to={home} />}
    </>
  );
}

/**
 * Whoever was signed in here is told why the page is gone: the session has expired, or ended in another tab. Signing out in this tab never
 * gets here, because it goes home first.
 */
function SignInFirst({ wasSignedIn }: { wasSignedIn: boolean }) {
  const { pathname, search, hash } = useLocation();
  // Captured once: the form that knows has unmounted by the next render.
  const [state] = useState(() => (wasSignedIn ? { signedOut: { isTextLost: losesUnsavedChanges() } } : undefined));
  return <Navigate to={paths.signIn({ redirect: `${pathname}${search}${hash}` })} state={state} replace />;
}

/** Asks about the unsaved changes, then leaves. Whoever stays is redirected after saving, by the guard of the next page. */
function LeaveAfterAsking({ to }: { to: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    void confirmLeave().then((isLeaving) => isLeaving && navigate(to, { replace: true }));
  }, [navigate, to]);
  return null;
}
