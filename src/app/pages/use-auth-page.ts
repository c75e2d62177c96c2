import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useSession } from '@/lib/auth';
import { parseRedirect, paths } from '@/lib/paths';
import { storeRole } from '@/lib/role';
import { readStorage } from '@/lib/storage';
import type { PickedRole } from './role-picker';

const isPickedRole = (role: string | null): role is PickedRole => role === 'community' || role === 'startup_unverified';

function initialRole(requested: string | null): PickedRole {
  if (isPickedRole(requested)) return requested;
  return readStorage('selectedRole') === 'startup_unverified' ? 'startup_unverified' : 'community';
}

/** What both auth pages read from their address, and the way to the other one with the same wishes (AUTH-03). */
export function useAuthPage(other: 'sign-in' | 'sign-up') {
  // The provider's forms move to addresses of their own and drop the query: what it asked for is read once.
  const [params] = useState(new URLSearchParams(useSearchParams()[0]));
  const requested = params.get('redirect');
  const requestedRole = params.get('role');
  const [role, setRole] = useState(() => initialRole(requestedRole));

  // Whoever comes by a link that names the role signs up as that, without choosing again (C-67).
  const isSignedOut = useSession().status === 'signed-out';
  useEffect(() => {
    if (isSignedOut && isPickedRole(requestedRole)) storeRole(requestedRole);
  }, [isSignedOut, requestedRole]);

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
