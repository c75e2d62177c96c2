import { useEffect, useRef, useState } from 'react';
import { useSwitchRole } from '@/features/account';
import { useSession } from '@/lib/auth';
import { isStartupRole, storeRole } from '@/lib/role';

/**
 * Makes whoever comes here a startup, unless they are one (SUBS-04); for admins on this browser only (C-11). True once that
 * is settled. A failure stays silent: the payment does not depend on the role (ERR-04).
 */
export function useStartupRole(): { isSettled: boolean; isStartup: boolean } {
  const { role, userId } = useSession();
  const switchRole = useSwitchRole();
  const isStartup = isStartupRole(role);
  const [hasTried, setHasTried] = useState(false);
  const startedFor = useRef<string | null>(null);

  useEffect(() => {
    if (!userId || isStartup || startedFor.current === userId) return;
    startedFor.current = userId;
    switchRole('startup')
      .then((next) => storeRole(next, userId))
      .catch(() => undefined)
      .finally(() => setHasTried(true));
  }, [userId, isStartup, switchRole]);

  return { isSettled: isStartup || hasTried, isStartup };
}
