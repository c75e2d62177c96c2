import { useMutation } from '@tanstack/react-query';
import { useSession } from '@/lib/auth';
import { findOut, untilAnswered } from '@/lib/send-once';
import { supabase, unwrap } from '@/lib/supabase';
import { useSetProfileInCache } from './mutations';
import { fetchProfile, type Profile } from './queries';

/**
 * Input of the profile and settings forms. The e-mail address changes only to one the provider reports as verified
 * (C-65).
 */
export type ProfileInput = { username: string; displayName: string; email: string };
export type ChangedFields = Readonly<Partial<Record<keyof ProfileInput, boolean>>>;

/** Whether the stored value is what was typed. A blank always is: the database then keeps the old value. */
const isStored = (typed: string, stored: string | null) => typed.trim() === '' || typed.trim() === stored;

/**
 * Saves the names, and the address when it is a verified one (PROF-05). `changed`: the fields that the person has edited; the others are
 * sent as they are stored now, which may be newer than the form. After a lost answer, what is stored is the result (C-99).
 */
export function useUpdateProfile() {
  const setProfileInCache = useSetProfileInCache();
  const { userId } = useSession();
  return useMutation({
    mutationFn: async ({ changed, ...input }: ProfileInput & { changed: ChangedFields }): Promise<Profile> => {
      const now = await fetchProfile(userId ?? '');
      const username = (!changed.username && now?.username) || input.username;
      const displayName = (!changed.displayName && now?.display_name) || input.displayName;
      const email = (!changed.email && now?.email) || input.email;
      const call = supabase().rpc('update_profile', {
        p_username: username,
        p_display_name: displayName,
        p_email: email,
      });
      const findSaved = async () => {
        const profile = await fetchProfile(userId ?? '');
        if (!profile || !isStored(displayName, profile.display_name)) return null;
        return isStored(username, profile.username) && isStored(email, profile.email) ? profile : null;
      };
      return unwrap(call).catch((error: unknown) => findOut(findSaved, error));
    },
    onSuccess: setProfileInCache,
    meta: { calls: ['update_profile'] },
  });
}

/** By industry, whether the person has just chosen it or no longer wants it. */
export type InterestChoices = Readonly<Record<string, boolean>>;

/** The saved interests with these choices made. */
export function applyChoices(saved: readonly string[], choices: InterestChoices): string[] {
  const isChosen = (industry: string) => choices[industry] ?? true;
  return [...new Set([...saved, ...Object.keys(choices)])].filter(isChosen);
}

/**
 * Saves choices of the industries that the person is interested in (C-116); idempotent. The others stay as they are stored now, perhaps by
 * another tab.
 */
export function useSaveInterests() {
  const setProfileInCache = useSetProfileInCache();
  const { userId } = useSession();
  return useMutation({
    mutationFn: (choices: InterestChoices): Promise<Profile> =>
      untilAnswered(async () => {
        const now = await fetchProfile(userId ?? '');
        return unwrap(supabase().rpc('save_interests', { p_interests: applyChoices(now?.interests ?? [], choices) }));
      }),
    onSuccess: setProfileInCache,
    meta: { calls: ['save_interests'] },
  });
}
