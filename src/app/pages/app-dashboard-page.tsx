import { Link } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { homePathForRole, isStartupRole, useIsRoleResolved } from '@/lib/role';
import { useDelayedRedirect } from './use-delayed-redirect';

/** Long enough to read one line, in milliseconds. */
const landingDelay = 1200;

/** Landing page after signing in; redirects to the home of the role (AUTH-07). */
export default function AppDashboardPage() {
  const session = useSession();
  const home = homePathForRole(session.role);
  const isRoleResolved = useIsRoleResolved(session.clerkRole, session.userId);
  useDelayedRedirect(isRoleResolved ? home : null, landingDelay);

  return (
    <CenteredMessage>
      <PageMeta title="Welcome" />
      <h1 className="text-3xl">Welcome! Taking you to your dashboard...</h1>
      <Spinner label="One moment" className="text-action" />
      <div className="flex flex-wrap justify-center gap-3">
        <Button asChild>
          <Link to={home} replace>
            Go now
          </Link>
        </Button>
        {isStartupRole(session.role) && (
          <Button variant="secondary" asChild>
            <Link to={paths.community} replace>
              Stay in the community
            </Link>
          </Button>
        )}
      </div>
      <details className="text-left text-muted text-sm">
        <summary className="min-h-11 py-3">Debug info</summary>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4">
          <dt>Session</dt>
          <dd>{session.status}</dd>
          <dt>User</dt>
          <dd>{session.userId}</dd>
          <dt>Active role</dt>
          <dd>{session.role}</dd>
          <dt>Provider role</dt>
          <dd>{session.clerkRole ?? 'none'}</dd>
          <dt>Going to</dt>
          <dd>{home}</dd>
        </dl>
      </details>
    </CenteredMessage>
  );
}
