import { toast } from '@/components/ui/toast';
import { useSession } from '@/lib/auth';
import { type ProfileInput, useUpdateProfile } from './mutations';
import { saveFailure } from './profile-form';
import type { Profile } from './queries';

/** Saves a profile form and says how it went (PROF-04). Resolves to the saved profile, null when it was not saved. */
export function useSaveProfile(): { save: (input: ProfileInput) => Promise<Profile | null>; isSaving: boolean } {
  const { userId } = useSession();
  const { mutateAsync, isPending } = useUpdateProfile();
  const save = async (input: ProfileInput) => {
    if (!userId) {
      toast.error('Please sign in to update your profile');
      return null;
    }
    try {
      const profile = await mutateAsync(input);
      toast.success('Profile updated successfully!');
      return profile;
    } catch (error) {
      toast.error(saveFailure(error));
      return null;
    }
  };
  return { save, isSaving: isPending };
}
