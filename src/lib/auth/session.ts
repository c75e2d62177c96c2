import { createContext, use } from 'react';
import { type Role, useResolvedRole } from '../role';

/** What the identity provider says about this browser. */
export type Identity =
  | { status: 'loading' }
  | { status: 'signed-out'; isUnavailable?: boolean }
  | {
      status: 'signed-in';
      userId: string;
      email: string;
      name: string;
      imageUrl: string | null;
      /** Role in the provider's public metadata, which only the product's owner can write. */
      clerkRole: Role | null;
      /** When the account was made, in milliseconds; tells a registration from a sign-in (AUTH-05). */
      createdAt: number;
    };

type Nobody = { userId: null; email: null; name: null; imageUrl: null; clerkRole: null; role: 'community' };

/**
 * The visitor. Nobody signed in is a placeholder with the community role, good for role checks only: it never passes a
 * guard, sends no identity and writes nothing (SEC-03, C-14).
 */
export type Session =
  | (Nobody & { status: 'loading' })
  /** `isUnavailable`: the provider could not be reached, so signing in does not work now. */
  | (Nobody & { status: 'signed-out'; isUnavailable: boolean })
  | (Extract<Identity, { status: 'signed-in' }> & { role: Role });

export type AuthFormSlot = { kind: 'sign-in' | 'sign-up'; element: HTMLElement; returnTo: string };

/** What only the provider itself can do. */
export type ProviderActions = { signOut: () => Promise<void>; openAccount: () => void };

export type AuthContextValue = {
  identity: Identity;
  signOut: () => Promise<void>;
  /** Opens the provider's own page of the account: password, addresses, devices, deletion. */
  openAccount: () => void;
  /** Where the hosted form is to appear; null takes it away. */
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

/** Who is here. Re-renders when the session or the active role changes, in this tab or another. */
export function useSession(): Session {
  const { identity } = use(AuthContext);
  const isSignedIn = identity.status === 'signed-in';
  const role = useResolvedRole(isSignedIn ? identity.clerkRole : null, isSignedIn ? identity.userId : null);
  if (identity.status === 'signed-in') return { ...identity, role };
  if (identity.status === 'loading') return { ...nobody, status: 'loading' };
  return { ...nobody, status: 'signed-out', isUnavailable: identity.isUnavailable ?? false };
}

/** Signs out, forgets the role of this user and goes home. */
export function useSignOut(): () => Promise<void> {
  return use(AuthContext).signOut;
}

/** Opens the provider's page of the account over this one; only for somebody signed in. */
export function useOpenAccount(): () => void {
  return use(AuthContext).openAccount;
}
