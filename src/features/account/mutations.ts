import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '@/lib/auth';
import { authorizedFetch } from '@/lib/authorized-fetch';
import { hadNoEffect } from '@/lib/errors';
import { isStartupRole, storeRole } from '@/lib/role';
import { supabase, unwrap } from '@/lib/supabase';
import { accountQueries, type Profile } from './queries';
import { chosenRole, localRole, roleAfterSync } from './roles';

/** Writes the profile that a procedure returned into the query cache. */
export function useSetProfileInCache() {
  const queryClient = useQueryClient();
  return (profile: Profile) => {
    queryClient.setQueryData(accountQueries.profile(profile.user_id).queryKey, profile);
  };
}

/**
 * Both mutations write the role, here and in the profile. They share a scope, so that a sync that started before a
 * switch cannot overwrite it.
 */
const roleScope = { id: 'role' };

/**
 * Creates or refreshes the caller's profile, wallet and referral code from the signed token (AUTH-08), and resolves the
 * active role. The role is read when the call is sent and again when it returns, because another tab may have changed
 * it meanwhile.
 */
export function useSyncProfile() {
  const setProfileInCache = useSetProfileInCache();
  return useMutation({
    scope: roleScope,
    mutationFn: (userId: string): Promise<Profile> => {
      const { stored } = chosenRole(userId);
      return unwrap(supabase().rpc('sync_current_user', stored ? { p_selected_role: stored } : {}));
    },
    onSuccess: (profile, userId) => {
      setProfileInCache(profile);
      storeRole(roleAfterSync({ ...chosenRole(userId), userId, saved: profile.role }), userId);
    },
    meta: { calls: ['sync_current_user'] },
  });
}

/**
 * Saves the person's side (member or project) and activates its role in this browser. The database decides which
 * startup role applies, and keeps admins admin (HEAD-04, C-10, C-11).
 */
export function useSwitchRole() {
  const setProfileInCache = useSetProfileInCache();
  return useMutation({
    scope: roleScope,
    mutationFn: (side: 'community' | 'startup'): Promise<Profile> =>
      unwrap(supabase().rpc('switch_role', { p_role: side })),
    // The switch may have been made and only its answer lost; made twice, it is the same.
    retry: (failures, error) => failures === 0 && !hadNoEffect(error),
    retryDelay: 0,
    onSuccess: (profile, side) => {
      setProfileInCache(profile);
      storeRole(localRole(side, profile.role), profile.user_id);
    },
    meta: { calls: ['switch_role'] },
  });
}

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

/** Maximum length of the name that the function accepts. */
const nameLength = 80;

function welcomeBody({ email, display_name, role }: Profile) {
  const name = display_name?.trim();
  const firstName = name?.split(/\s+/)[0]?.slice(0, nameLength);
  return {
    type: 'welcome',
    recipient: { email, ...(name ? { name: name.slice(0, nameLength) } : {}) },
    userRole: role,
    ...(firstName ? { firstName } : {}),
  };
}

/** Requests the welcome mail (MAIL-04); false on any failure, which is not shown (MAIL-05). */
export async function sendWelcomeEmail(profile: Profile): Promise<boolean> {
  try {
    const response = await authorizedFetch('/api/send-email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(welcomeBody(profile)),
    });
    return response.ok;
  } catch {
    return false;
  }
}
