import { Menu } from 'lucide-react';
import { lazy, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { LatePart, lostSentence } from '@/components/lazy';
import { lazyOverlay } from '@/components/lazy-overlay';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { isAuthConfigured } from '@/lib/env';
import { paths } from '@/lib/paths';
import { mainLinks } from './navigation';

const MemberCorner = lazy(() => import('./member-corner'));
const WaitingCount = lazy(() => import('./waiting-count'));

// Below 69rem the links leave some of their room to a member's balance.
const linkClass =
  'group inline-flex min-h-11 items-center whitespace-nowrap rounded-control px-2 font-medium hover:bg-sunken max-[69rem]:px-1.5 max-[69rem]:text-sm xl:px-3 aria-[current=page]:text-action';

/** Sign In and Get Started for visitors (HEAD-02); the member's own things otherwise (HEAD-03..09). */
function Corner() {
  const session = useSession();
  if (!isAuthConfigured()) return null;
  if (session.status === 'loading') return <Skeleton className="h-11 w-28" />;
  if (session.status === 'signed-out') {
    return (
      <>
        <Button variant="ghost" asChild className="max-lg:hidden">
          <Link to={paths.signIn()}>Sign In</Link>
        </Button>
        <Button asChild className="max-sm:px-3">
          <Link to={paths.signUp()}>Get Started</Link>
        </Button>
      </>
    );
  }
  return (
    <LatePart pending={<Skeleton className="h-11 w-28" />} lost={null} onLost={() => toast.error(lostSentence)}>
      <MemberCorner />
    </LatePart>
  );
}

/** The top of every page (HEAD-01..09). Below 1024 px the links move into the menu. */
export function Header() {
  const session = useSession();
  return (
    <header className="sticky top-0 z-30 border-b bg-paper print:hidden">
      <div className="page-column flex h-16 items-center gap-1 sm:gap-2">
        <Logo isCompact={session.status === 'signed-in'} />
        <nav aria-label="Main" className="hidden items-center lg:flex xl:ml-4">
          {mainLinks(session).map(({ to, label, hasWaitingCount }) => (
            <NavLink key={to} to={to} end={to === paths.founder} className={linkClass}>
              <span className="decoration-2 decoration-points underline-offset-8 group-aria-[current=page]:underline">
                {label}
              </span>
              {hasWaitingCount && (
                <LatePart lost={null}>
                  <WaitingCount />
                </LatePart>
              )}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex min-w-0 items-center gap-0.5 sm:gap-2 lg:gap-0.5 xl:gap-2">
          <Corner />
          <MobileMenu />
        </div>
      </div>
    </header>
  );
}

/** The logo with its BETA tag (HEAD-01). Compact: on phones the name is for screen readers only. */
function Logo({ isCompact }: { isCompact: boolean }) {
  return (
    <Link
      to={paths.home}
      className={cn(
        'inline-flex min-h-11 shrink-0 items-center gap-2',
        isCompact && 'max-sm:relative max-sm:w-11 max-sm:justify-center max-sm:pb-2',
      )}
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 32 32"
        className={cn('size-7 sm:size-8', !isCompact && 'max-[24rem]:hidden')}
      >
        <rect x="3" y="5" width="26" height="24" rx="5" className="fill-action" />
        <rect x="8" y="11" width="16" height="13" rx="2" className="fill-card" />
        <path
          d="m12 17.5 3 3 5.5-6"
          fill="none"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-action"
        />
        <circle cx="16" cy="6" r="4" strokeWidth="1.5" className="fill-points stroke-paper" />
      </svg>
      <span className={cn('font-bold font-display text-lg tracking-tight sm:text-xl', isCompact && 'max-sm:sr-only')}>
        Questboard
      </span>
      <span
        className={cn(
          '-rotate-3 rounded border-2 border-points bg-paper px-1 font-bold font-display text-[0.6875rem] leading-4',
          isCompact && 'max-sm:absolute max-sm:bottom-0',
        )}
      >
        BETA
      </span>
    </Link>
  );
}

const MobileMenuSheet = lazyOverlay(() => import('./mobile-menu-sheet'));

/** The menu button on small screens. */
function MobileMenu() {
  const { key } = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  // Closes with every navigation, also to the same path. Not in an effect: one that is still due when the button is pressed would close
  // the menu again.
  if (openedAt !== null && openedAt !== key) setOpenedAt(null);

  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Menu"
        aria-haspopup="dialog"
        className="-mr-2 lg:hidden"
        onPointerDown={MobileMenuSheet.preload}
        onClick={() => setOpenedAt(key)}
      >
        <Menu aria-hidden="true" />
      </Button>
      <MobileMenuSheet isOpen={openedAt === key} onOpenChange={() => setOpenedAt(null)} />
    </>
  );
}
