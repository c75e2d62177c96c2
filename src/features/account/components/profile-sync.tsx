import { useEffect } from 'react';
import { useClaimReferral } from '@/features/referrals';
import { useSession } from '@/lib/auth';
import { isRole, type Role, settleRole, storeRole } from '@/lib/role';
import { readStorage } from '@/lib/storage';
import { useSyncProfile } from '../mutations';
import { roleAfterSync } from '../role-after-sync';
import { useUnverifiedTrust } from '../use-unverified-trust';
import { welcomeOnce } from '../welcome-email';

/** The role kept on this browser, unless it is another person's choice. */
function chosenRole(userId: string): { stored: Role | null; owner: string | null } {
  const owner = readStorage('roleOwner');
  const stored = readStorage('selectedRole');
  return { stored: isRole(stored) && (owner === null || owner === userId) ? stored : null, owner };
}

/**
 * Once per sign-in: makes or refreshes the profile, wallet and code (AUTH-08), settles the active role, also by the setting about unverified startups (C-68), and then claims
 * a pending referral (REF-05) and has a new member welcomed by mail (MAIL-03). All of it in the background: a failure stays silent and blocks nothing (ERR-04).
 */
export function ProfileSync() {
  const { userId } = useSession();
  const { mutate: sync, data: profile } = useSyncProfile();

  useEffect(() => {
    if (!userId) return;
    const choice = chosenRole(userId);
    sync(choice.stored, {
      onSuccess: (saved) => {
        storeRole(roleAfterSync({ ...choice, userId, saved: saved.role }), userId);
        void welcomeOnce(saved);
      },
      onSettled: () => settleRole(userId),
    });
  }, [userId, sync]);

  useUnverifiedTrust();
  useClaimReferral(userId && profile?.user_id === userId ? userId : null);
  return null;
}
