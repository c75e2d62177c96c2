import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { toast } from '@/components/ui/toast';
import { useSession } from '@/lib/auth';
import { confirmLeave, hasUnsavedChanges, losesUnsavedChanges } from '@/lib/confirm-leave';
import { paths } from '@/lib/paths';
import { homePathForRole, isStartupRole, type Role, requireRole, useIsRoleResolved } from '@/lib/role';
import { PageLoading, PageOutOfReach } from './layout/page-boundary';

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
  const [wasAllowed, setWasAllowed] = useState(false);
  const [isOutOfReach, setIsOutOfReach] = useState(false);
  if (session.status === 'signed-in' && !wasSignedIn) setWasSignedIn(true);

  // Offline, nobody can be signed in, and redirecting to a form would not help. Kept until the session is known, because the connection can
  // come back between two renders, and between two attempts of one.
  const isUnknown = session.status === 'loading' || (session.status === 'signed-out' && Boolean(session.isUnavailable));
  if (isOutOfReach ? !isUnknown : isUnknown && !navigator.onLine) setIsOutOfReach(!isOutOfReach);
  if (isOutOfReach) return <PageOutOfReach />;
  if (session.status === 'loading') return <PageLoading />;
  if (session.status === 'signed-out') return <SignInFirst wasSignedIn={wasSignedIn} />;
  const isForbidden = roles !== undefined && !hasRole(session.role, roles);
  if (isForbidden && !isRoleResolved) return <PageLoading />;
  if (!isForbidden && !wasAllowed) setWasAllowed(true);
  const home = homePathForRole(session.role);
  // The role can change in another tab while somebody is filling in a form here.
  if (isForbidden && !hasUnsavedChanges()) {
    const isOtherSide = session.role === 'community' && roles.some(isStartupRole);
    return <RedirectHome to={home} isOtherSide={isOtherSide && !wasAllowed} />;
  }
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

/** Tells whoever opens a link to their project from a mail while on the Community side why they do not get there. */
function RedirectHome({ to, isOtherSide }: { to: string; isOtherSide: boolean }) {
  useEffect(() => {
    if (isOtherSide) toast.error('You are on the Community side. Switch to Project to open that page.', 'side');
  }, [isOtherSide]);
  return <Navigate to={to} replace />;
}

/** Asks about the unsaved changes, then leaves. Whoever stays is redirected after saving, by the guard of the next page. */
function LeaveAfterAsking({ to }: { to: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    void confirmLeave().then((isLeaving) => isLeaving && navigate(to, { replace: true }));
  }, [navigate, to]);
  return null;
}
