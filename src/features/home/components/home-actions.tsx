import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { isStartupRole } from '@/lib/role';
import { trackCta } from '../track';

/** To one's referrals, for visitors through sign-up (HOME-03). */
export function JoinCommunity({ place, variant }: { place: string; variant?: 'primary' | 'secondary' }) {
  const isSignedIn = useSession().status === 'signed-in';
  return (
    <Button asChild variant={variant}>
      <Link
        to={isSignedIn ? paths.referrals : paths.signUpForReferrals}
        onClick={() => trackCta('Join Community', place)}
      >
        Join Community
      </Link>
    </Button>
  );
}

/** To the project's dashboard, for all others to sign-up (HOME-02). */
export function StartYourProject({ place }: { place: string }) {
  const { role } = useSession();
  return (
    <Button asChild variant="secondary">
      <Link
        to={isStartupRole(role) ? paths.startup : paths.signUp()}
        onClick={() => trackCta('Start Your Project', place)}
      >
        Start Your Project
      </Link>
    </Button>
  );
}
