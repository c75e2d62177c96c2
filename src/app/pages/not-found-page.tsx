import { lazy } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { LatePart } from '@/components/lazy';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { LineDrawing } from '@/components/ui/line-drawing';
import { useSession } from '@/lib/auth';
import { heads } from '@/lib/head/page-head';
import { paths } from '@/lib/paths';
import { homePathForRole } from '@/lib/role';

const NotFoundQuests = lazy(() => import('./not-found-quests'));

const linkClass = 'inline-flex min-h-11 items-center px-2 font-medium text-action underline underline-offset-4';

/** The 404 page (ROUTE-19..21), with suggestions. */
export default function NotFoundPage() {
  const session = useSession();
  const navigate = useNavigate();
  const isSignedIn = session.status === 'signed-in';

  const links = [
    { to: paths.home, label: 'Home' },
    { to: paths.browse(), label: 'Browse Quests' },
    ...(isSignedIn
      ? [
          { to: paths.profile, label: 'Profile' },
          { to: paths.settings, label: 'Settings' },
        ]
      : [{ to: paths.signIn(), label: 'Sign In' }]),
  ];

  return (
    <>
      <CenteredMessage>
        <PageMeta {...heads.notFound} />
        <LineDrawing name="board" />
        <h1 className="text-3xl">Page Not Found</h1>
        <p className="text-muted">Nothing is pinned here. The address may be wrong, or the page was taken down.</p>
        <div className="mt-2 flex flex-wrap justify-center gap-3">
          <Button asChild>
            <Link to={isSignedIn ? homePathForRole(session.role) : paths.home}>Go to Dashboard</Link>
          </Button>
          <Button variant="secondary" onClick={() => navigate(-1)}>
            Go Back
          </Button>
        </div>
        <nav aria-label="Other pages" className="flex flex-wrap justify-center gap-x-2">
          {links.map(({ to, label }) => (
            <Link key={label} to={to} className={linkClass}>
              {label}
            </Link>
          ))}
        </nav>
        <p className="text-muted text-sm">Error Code: 404 - Resource Not Found</p>
      </CenteredMessage>
      <LatePart lost={null}>
        <NotFoundQuests />
      </LatePart>
    </>
  );
}
