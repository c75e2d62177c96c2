import { isStartupRole, type Role } from '@/lib/role';

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
