import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { settingsQueries } from '@/features/settings';
import { useSession } from '@/lib/auth';
import { isStartupRole, trustUnverified } from '@/lib/role';

/** Lets the setting decide whether an unverified startup counts as a verified one (SEC-06, C-68). */
export function useUnverifiedTrust(): void {
  const { role } = useSession();
  const { data: settings } = useQuery({ ...settingsQueries.app(), enabled: isStartupRole(role) });
  const isTrusted = settings?.treat_unverified_as_verified ?? false;

  useEffect(() => {
    trustUnverified(isTrusted);
    return () => trustUnverified(false);
  }, [isTrusted]);
}
