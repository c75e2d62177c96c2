import type { Role } from '@/lib/role';

/** Roles as admins read them. */
export const roleWords: Readonly<Record<Role, string>> = {
  community: 'Community',
  startup_unverified: 'Startup (unverified)',
  startup_verified: 'Startup (verified)',
  admin: 'Admin',
};
