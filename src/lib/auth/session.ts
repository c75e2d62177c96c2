import { createContext, use } from 'react';
import { type Role, useResolvedRole } from '../role';

/** State of the identity provider in this browser. */
export type Identity =
  | { status: 'loading' }
  | { status: 'signed-out'; isUnavailable?: boolean; isAccountDeleted?: boolean }
  | {
      status: 'signed-in';
      userId: string;
      email: string;
      name: string;
      imageUrl: string | null;
      /** Role in the provider's public metadata, which only the product's owner can write. */
      clerkRole: Role | null;
      /** When the account was created, in milliseconds; distinguishes a registration from a sign-in (AUTH-05). */
      createdAt: number;
    };

type Nobody = { userId: null; email: null; name: null; imageUrl: null; clerkRole: null; role: 'community' };

/**
 * The session of a visitor: a placeholder with the community role for role checks. It never passes a guard, sends no
 * identity and writes nothing (SEC-03, C-14).
 */
export type Session =
  | (Nobody & { status: 'loading' })
  /**
   * `isUnavailable`: the provider could not be reached, so signing in does not work at the moment. `isAccountDeleted`: the person has just
   * deleted the account in this tab.
   */
  | (Nobody & { status: 'signed-out'; isUnavailable: boolean; isAccountDeleted: boolean })
  | (Extract<Identity, { status: 'signed-in' }> & { role: Role });

export type AuthFormSlot = { kind: 'sign-in' | 'sign-up'; element: HTMLElement; returnTo: string };

/** Actions that only the provider can perform. */
export type ProviderActions = { signOut: () => Promise<void>; openAccount: () => void };

export type AuthContextValue = {
  identity: Identity;
  signOut: () => Promise<void>;
  /** Opens the provider's own page of the account: password, addresses, devices, deletion. */
  openAccount: () => void;
  /** Element in which to mount the hosted form; null unmounts it. */
  setFormSlot: (slot: AuthFormSlot | null) => void;
};

const nobody: Nobody = {
  userId: null,
  email: null,
  name: null,
  imageUrl: null,
  clerkRole: null,
  role: 'community',
};

export const AuthContext = createContext<AuthContextValue>({
  identity: { status: 'signed-out' },
  signOut: () => Promise.resolve(),
  openAccount: () => undefined,
  setFormSlot: () => undefined,
});

/** The current session. Rerenders when the session or the active role changes, in this tab or another. */
export function useSession(): Session {
  const { identity } = use(AuthContext);
  const isSignedIn = identity.status === 'signed-in';
  const role = useResolvedRole(isSignedIn ? identity.clerkRole : null, isSignedIn ? identity.userId : null);
  if (identity.status === 'signed-in') return { ...identity, role };
  if (identity.status === 'loading') return { ...nobody, status: 'loading' };
  const { isUnavailable = false, isAccountDeleted = false } = identity;
  return { ...nobody, status: 'signed-out', isUnavailable, isAccountDeleted };
}

/**
 * Only whether somebody is signed in, for what a list shows many times: unlike useSession it does not also listen to the role.
 */
export function useSessionStatus(): Session['status'] {
  return use(AuthContext).identity.status;
}

/** Signs out, removes the user's stored role and goes home. */
export function useSignOut(): () => Promise<void> {
  return use(AuthContext).signOut;
}

/** Opens the provider's account page as a modal; for signed-in users only. */
export function useOpenAccount(): () => void {
  return use(AuthContext).openAccount;
}
