import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { toast } from '@/components/ui/toast';
import { useSession } from '@/lib/auth';
import { errorMessage } from '@/lib/errors';
import { homeOf, isStartupRole, storeRole } from '@/lib/role';
import { useSwitchRole } from './member-plugs';

export type Side = 'community' | 'startup';

/** Milliseconds between choosing in the mobile menu and leaving the page, so that the menu is seen closing (HEAD-08). */
export const mobileRedirectDelay = 500;

/**
 * The Community/Project switch (HEAD-04): saves the role in the profile, stores it here and goes to that side. When
 * saving fails nothing changes and the reason is shown.
 */
export function useRoleSwitch({ delay = 0 }: { delay?: number } = {}) {
  const session = useSession();
  const navigate = useNavigate();
  const saveRole = useSwitchRole();
  const [isSwitching, setIsSwitching] = useState(false);

  const switchTo = async (side: Side) => {
    setIsSwitching(true);
    try {
      const role = await saveRole(side);
      storeRole(role, session.userId);
      setTimeout(() => navigate(homeOf(role)), delay);
    } catch (error) {
      toast.error(errorMessage(error));
    } finally {
      setIsSwitching(false);
    }
  };
  const side: Side | null = session.role === 'admin' ? null : isStartupRole(session.role) ? 'startup' : 'community';
  return { side, switchTo, isSwitching };
}
