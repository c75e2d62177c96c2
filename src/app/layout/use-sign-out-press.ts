import { toast } from '@/components/ui/toast';
import { useSignOut } from '@/lib/auth';
import { errorMessage } from '@/lib/errors';
import { HomePage } from '../pages';

/** Signs out and tells a failure: nobody should walk away from a shared computer in the belief of being signed out. */
export function useSignOutPress(): () => void {
  const signOut = useSignOut();
  return () => {
    // Home takes the page's place at once when its code is there. Otherwise React keeps that page below the loading state, and it
    // would go on asking for what only the member may read.
    const arrival = HomePage.preload().catch(() => undefined);
    arrival.then(signOut).catch((error: unknown) => toast.error(errorMessage(error)));
  };
}
