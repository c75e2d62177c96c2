import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { settingsQueries } from '@/features/settings';
import { useSession } from '@/lib/auth';
import { isRefusal } from '@/lib/errors';
import { isStartupRole, markRoleResolved, trustUnverified } from '@/lib/role';
import { localFlag } from '@/lib/storage';
import { sendWelcomeEmail, useSyncProfile } from '../mutations';
import type { Profile } from '../queries';

/**
 * Once per sign-in and address, creates or refreshes the profile, wallet and referral code (AUTH-08), resolves the active role,
 * respecting the setting about unverified startups (C-68), and requests the welcome mail of a new member (MAIL-03).
 * Failures are silent and block nothing (ERR-04); without an answer the next page tries again, because a new member can do nothing
 * without a profile.
 */
export function ProfileSync() {
  const { userId, email } = useSession();
  const { pathname } = useLocation();
  const { mutate: sync } = useSyncProfile();
  /** Whose sync is under way or has been answered, and with which address. */
  const syncedFor = useRef<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what makes it try again
  useEffect(() => {
    const account = userId && `${userId} ${email}`;
    if (syncedFor.current === account) return;
    syncedFor.current = account;
    if (!userId) return;
    sync(userId, {
      onSuccess: (saved) => void welcomeOnce(saved),
      onError: (error) => {
        if (!isRefusal(error)) syncedFor.current = null;
      },
      onSettled: () => markRoleResolved(userId),
    });
  }, [userId, email, pathname, sync]);

  useUnverifiedTrust();
  return null;
}

/** Applies the setting that treats an unverified startup as verified (SEC-06, C-68). */
function useUnverifiedTrust(): void {
  const { role } = useSession();
  const { data: settings } = useQuery({ ...settingsQueries.app(), enabled: isStartupRole(role) });
  const isTrusted = settings?.treat_unverified_as_verified ?? false;

  useEffect(() => {
    trustUnverified(isTrusted);
    return () => trustUnverified(false);
  }, [isTrusted]);
}

/**
 * Requests the welcome mail to a member's verified address once (MAIL-03): this browser remembers the request, and the
 * server deduplicates across browsers (C-49). After a failure the next visit retries.
 */
async function welcomeOnce(profile: Profile): Promise<void> {
  const { user_id, email, welcome_email_sent_at } = profile;
  if (!email || welcome_email_sent_at || localFlag.isSet('welcomeEmailSent', user_id)) return;
  if (await sendWelcomeEmail(profile)) localFlag.set('welcomeEmailSent', user_id);
}
