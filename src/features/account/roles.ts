import { isRole, isStartupRole, type Role } from '@/lib/role';
import { readStorage } from '@/lib/storage';

/** A role in words; startups are called projects wherever people read (HEAD-03). */
export const roleLabels: Readonly<Record<Role, string>> = {
  community: 'Community Member',
  startup_unverified: 'Project, not verified yet',
  startup_verified: 'Verified project',
  admin: 'Admin',
};

/**
 * The active role after switching sides, given the role that the database saved. Admins stay admins there; for them the
 * switch changes this browser only (C-11).
 */
export function localRole(side: 'community' | 'startup', saved: Role): Role {
  if (saved !== 'admin') return saved;
  return side === 'community' ? 'community' : 'startup_unverified';
}

/** The role kept on this browser, unless it is another person's choice. */
export function chosenRole(userId: string): { stored: Role | null; owner: string | null } {
  const owner = readStorage('roleOwner');
  const stored = readStorage('selectedRole');
  return { stored: isRole(stored) && (owner === null || owner === userId) ? stored : null, owner };
}

type Situation = {
  /** The role kept on this browser, if any. */
  stored: Role | null;
  /** Whose choice it is; null when it was made before signing in. */
  owner: string | null;
  userId: string;
  /** The role that the database has just answered with. */
  saved: Role;
};

/**
 * The active role once the profile has been synced. A new sign-in takes the saved role, which restores admins (C-11). On
 * a reload the person's own choice stays, only that the database says which of the two startup roles it is (C-10) and
 * that nobody is admin without it (C-09).
 */
export function roleAfterSync({ stored, owner, userId, saved }: Situation): Role {
  if (stored === null || owner !== userId) return saved;
  if (stored === 'admin') return saved;
  if (isStartupRole(stored) && isStartupRole(saved)) return saved;
  return stored;
}
