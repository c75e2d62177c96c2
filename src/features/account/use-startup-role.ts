import { useEffect, useRef, useState } from 'react';
import { useSession } from '@/lib/auth';
import { isStartupRole } from '@/lib/role';
import { useSwitchRole } from './mutations';

/**
 * Switches visitors of a page that is for founders to the startup role; admins in this browser only (C-11). Settled once
 * done or failed: failures are silent, because the page does not depend on the role (ERR-04).
 */
export function useStartupRole(): { isSettled: boolean; isProject: boolean } {
  const { role, userId } = useSession();
  const { mutate: switchRole } = useSwitchRole();
  const isProject = isStartupRole(role);
  const [hasTried, setHasTried] = useState(false);
  const startedFor = useRef<string | null>(null);

  useEffect(() => {
    if (!userId || isProject || startedFor.current === userId) return;
    startedFor.current = userId;
    switchRole('startup', { onSettled: () => setHasTried(true) });
  }, [userId, isProject, switchRole]);

  return { isSettled: isProject || hasTried, isProject };
}
