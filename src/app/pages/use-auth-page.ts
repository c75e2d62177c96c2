import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { parseRedirect, paths } from '@/lib/paths';
import { storeRole } from '@/lib/role';
import { readStorage } from '@/lib/storage';
import type { PickedRole } from './role-picker';

function initialRole(requested: string | null): PickedRole {
  if (requested === 'startup_unverified') return requested;
  return readStorage('selectedRole') === 'startup_unverified' ? 'startup_unverified' : 'community';
}

/** What both auth pages read from their address, and the way to the other one with the same wishes (AUTH-03). */
export function useAuthPage(other: 'sign-in' | 'sign-up') {
  // The provider's forms move to addresses of their own and drop the query: what it asked for is read once.
  const [params] = useState(new URLSearchParams(useSearchParams()[0]));
  const requested = params.get('redirect');
  const [role, setRole] = useState(() => initialRole(params.get('role')));

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
