import type { Role } from '@/lib/role';
import { localRole } from './local-role';
import { useSaveRole } from './mutations';

/** Saves the switched role in the profile and returns the role to be active here (HEAD-04, C-10). Throws AppError. */
export function useSwitchRole(): (side: 'community' | 'startup') => Promise<Role> {
  const { mutateAsync: saveRole } = useSaveRole();
  return async (side) => localRole(side, (await saveRole(side)).role);
}
