import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useSession } from '@/lib/auth';
import { parseRedirect, paths } from '@/lib/paths';
import { storeRole } from '@/lib/role';
import { readStorage } from '@/lib/storage';
import type { PickedRole } from './role-picker';

/** The role that the address asks for, null when it names none that the picker has. */
function requestedRole(params: URLSearchParams): PickedRole | null {
  const role = params.get('role');
  return role === 'community' || role === 'startup_unverified' ? role : null;
}

function storedRole(): PickedRole {
  return readStorage('selectedRole') === 'startup_unverified' ? 'startup_unverified' : 'community';
}

/**
 * What both auth pages read from their address, and the way to the other one with the same wishes (AUTH-03). A role that
 * the address asks for is a choice as good as a click: it is kept for whoever signs in here (C-67).
 */
export function useAuthPage(other: 'sign-in' | 'sign-up') {
  // The provider's forms move to addresses of their own and drop the query: what it asked for is read once.
  const [params] = useState(new URLSearchParams(useSearchParams()[0]));
  const requested = params.get('redirect');
  const asked = requestedRole(params);
  const [role, setRole] = useState(() => asked ?? storedRole());
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
    pickRole,
    otherPage: other === 'sign-in' ? paths.signIn(wishes) : paths.signUp(wishes),
  };
}
