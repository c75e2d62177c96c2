import { lazy, Suspense } from 'react';
import { Link, NavLink } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { isAuthConfigured } from '@/lib/env';
import { paths } from '@/lib/paths';
import { Logo } from './logo';
import { MobileMenu } from './mobile-menu';
import { mainLinks } from './navigation';

const MemberCorner = lazy(() => import('./member-corner'));

const linkClass = ({ isActive }: { isActive: boolean }) =>
  cn(
    'inline-flex min-h-11 items-center rounded-control px-3 font-medium hover:bg-sunken',
    isActive && 'text-action underline decoration-2 decoration-points underline-offset-8',
  );

/** Sign In and Get Started for visitors (HEAD-02); the member's own things otherwise (HEAD-03..09). */
function Corner() {
  const session = useSession();
  if (!isAuthConfigured()) return null;
  if (session.status === 'loading') return <Skeleton className="h-11 w-28" />;
  if (session.status === 'signed-out') {
    return (
      <>
        <Button variant="ghost" asChild className="hidden lg:inline-flex">
          <Link to={paths.signIn()}>Sign In</Link>
        </Button>
        <Button asChild className="max-sm:px-3">
          <Link to={paths.signUp()}>Get Started</Link>
        </Button>
      </>
    );
  }
  return (
    <Suspense fallback={<Skeleton className="h-11 w-28" />}>
      <MemberCorner />
    </Suspense>
  );
}

/** The top of every page (HEAD-01..09). Below 1024 px the links move into the menu. */
export function Header() {
  const session = useSession();
  return (
    <header className="sticky top-0 z-30 border-b bg-paper">
      <div className="page-column flex h-16 items-center gap-1 sm:gap-2">
        <Logo />
        <nav aria-label="Main" className="ml-4 hidden items-center lg:flex">
          {mainLinks(session).map(({ to, label }) => (
            <NavLink key={to} to={to} className={linkClass}>
              {label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          <Corner />
          <MobileMenu />
        </div>
      </div>
    </header>
  );
}
