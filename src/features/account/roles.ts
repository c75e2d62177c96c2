import { isRole, isStartupRole, type Role } from '@/lib/role';
import { readStorage } from '@/lib/storage';

/** Labels of roles; on screens, startups are called projects (HEAD-03). */
export const roleLabels: Readonly<Record<Role, string>> = {
  community: 'Community Member',
  startup_unverified: 'Project, not verified yet',
  startup_verified: 'Verified project',
  admin: 'Admin',
};

/**
 * The active role after switching sides, given the role that the database saved. For admins, who stay admins there, the
 * switch affects this browser only (C-11).
 */
export function localRole(side: 'community' | 'startup', saved: Role): Role {
  if (saved !== 'admin') return saved;
  return side === 'community' ? 'community' : 'startup_unverified';
}

/** The role stored in this browser, unless another person chose it. */
export function chosenRole(userId: string): { stored: Role | null; owner: string | null } {
  const owner = readStorage('roleOwner');
  const stored = readStorage('selectedRole');
  return { stored: isRole(stored) && (owner === null || owner === userId) ? stored : null, owner };
}

type Situation = {
  /** The role stored in this browser, if any. */
  stored: Role | null;
  /** User who chose it; null when it was chosen before signing in. */
  owner: string | null;
  userId: string;
  /** The role that the database has just returned. */
  saved: Role;
};

/**
 * The active role once the profile has been synced. A new sign-in takes the saved role, which restores admins (C-11). A
 * reload keeps the choice of this browser, but the database decides which of the two startup roles it is (C-10) and
 * whether the person is admin (C-09).
 */
export function roleAfterSync({ stored, owner, userId, saved }: Situation): Role {
  if (stored === null || owner !== userId) return saved;
  if (stored === 'admin') return saved;
  if (isStartupRole(stored) && isStartupRole(saved)) return saved;
  return stored;
}
