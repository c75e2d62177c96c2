import type { Role } from '@/lib/role';

/** A role in words; startups are called projects wherever people read (HEAD-03). */
export const roleWords: Readonly<Record<Role, string>> = {
  community: 'Community Member',
  startup_unverified: 'Project, not verified yet',
  startup_verified: 'Verified project',
  admin: 'Admin',
};
