import type { Role } from '@/lib/role';

/**
 * The active role after switching sides, given the role that the database saved. Admins stay admins there; for them the
 * switch changes this browser only (C-11).
 */
export function localRole(side: 'community' | 'startup', saved: Role): Role {
  if (saved !== 'admin') return saved;
  return side === 'community' ? 'community' : 'startup_unverified';
}
