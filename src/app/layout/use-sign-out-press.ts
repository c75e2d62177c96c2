import { toast } from '@/components/ui/toast';
import { useSignOut } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { HomePage } from '../pages';

/** Signs out and reports a failure, so that nobody leaves a shared computer wrongly believing to be signed out. */
export function useSignOutPress(): () => void {
  const signOut = useSignOut();
  return () => {
    // With home's code loaded, home replaces the page immediately. Otherwise React keeps the hidden page mounted while home loads, and
    // it continues to request data that only the member may read.
    const arrival = HomePage.preload().catch(() => undefined);
    arrival.then(signOut).catch((error: unknown) => toast.error(describeError(error)));
  };
}
