import { useSyncExternalStore } from 'react';
import { AppError } from './errors';
import { paths } from './paths';
import { createStorageStore, readStorage, writeStorage } from './storage';

/** SEC-01. `community` is the default everywhere. */
export const roles = ['community', 'startup_unverified', 'startup_verified', 'admin'] as const;
export type Role = (typeof roles)[number];

/**
 * Link state that asks for the startup role like the parameter `role` of the auth pages, for links to an address without it
 * (HOME-02, HOME-06).
 */
export const asFounder = { role: 'startup_unverified' } as const;

/** Checks a value from the provider's metadata or from storage. */
export function isRole(value: unknown): value is Role {
  return roles.some((role) => role === value);
}

export function isStartupRole(role: Role): boolean {
  return role === 'startup_unverified' || role === 'startup_verified';
}

/** The home path of a role (ROUTE-16, ROUTE-20, AUTH-07). */
export function homePathForRole(role: Role | null): string {
  if (role === null) return paths.home;
  if (role === 'admin') return paths.admin;
  return isStartupRole(role) ? paths.founder : paths.community;
}

/** Throws 'Forbidden' unless the role is allowed (SEC-04). It steers the client; the database decides (C-09). */
export function requireRole(role: Role, allowed: readonly Role[]): void {
  if (!allowed.includes(role)) throw new AppError('FORBIDDEN', 'Forbidden', 403);
}

const store = createStorageStore('selectedRole', 'role-changed');

let isUnverifiedTrusted = false;

/** When on, an unverified startup is treated as verified everywhere (SEC-06, C-68). */
export function trustUnverified(isTrusted: boolean): void {
  isUnverifiedTrusted = isTrusted;
  store.notify();
}

/**
 * The active role: the one this user chose in this browser, else the provider's metadata, else community (SEC-02). A
 * choice made before signing in (the role picker) has no owner yet and counts.
 */
export function resolveRole(clerkRole: Role | null, userId: string | null): Role {
  const owner = readStorage('roleOwner');
  const stored = owner && userId && owner !== userId ? null : readStorage('selectedRole');
  const role = isRole(stored) ? stored : (clerkRole ?? 'community');
  return role === 'startup_unverified' && isUnverifiedTrusted ? 'startup_verified' : role;
}

/** Stores the role and notifies this tab; other tabs get the storage event (HEAD-05). */
export function storeRole(role: Role | null, userId: string | null = null): void {
  writeStorage('selectedRole', role);
  writeStorage('roleOwner', role && userId);
  store.notify(role);
}

let resolvedFor: string | null = null;

/** Marks the profile sync of this user as finished, successfully or not: the role is final. */
export function markRoleResolved(userId: string): void {
  resolvedFor = userId;
  store.notify();
}

/**
 * False while the saved role is loading for a person who has just signed in on a new browser: until then `community` is
 * a guess that must not cause redirects.
 */
export function useIsRoleResolved(clerkRole: Role | null, userId: string | null): boolean {
  return useSyncExternalStore(
    store.subscribe,
    () => clerkRole !== null || userId === null || resolvedFor === userId || readStorage('roleOwner') === userId,
    () => false,
  );
}

/** The active role of a user, synchronised across tabs. */
export function useResolvedRole(clerkRole: Role | null, userId: string | null): Role {
  return useSyncExternalStore(
    store.subscribe,
    () => resolveRole(clerkRole, userId),
    () => 'community',
  );
}
