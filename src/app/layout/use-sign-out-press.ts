import { toast } from '@/components/ui/toast';
import { useSignOut } from '@/lib/auth';
import { errorMessage } from '@/lib/errors';

/** Signs out and tells a failure: nobody should walk away from a shared computer in the belief of being signed out. */
export function useSignOutPress(): () => void {
  const signOut = useSignOut();
  return () => void signOut().catch((error: unknown) => toast.error(errorMessage(error)));
}
