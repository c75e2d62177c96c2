import { NavLink } from 'react-router-dom';
import type { Openable } from '@/components/lazy-overlay';
import { Dialog } from '@/components/ui/dialog';
import { useOpenFeedback } from '@/features/feedback';
import { useSession } from '@/lib/auth';
import { isAuthConfigured } from '@/lib/env';
import { paths } from '@/lib/paths';
import { isStartupRole } from '@/lib/role';
import { mobileRedirectDelay, RoleSwitch } from './member-corner';
import { mainLinks, type NavigationLink } from './navigation';
import { openCommandMenu } from './open-command-menu';
import WaitingCount from './waiting-count';

/** The header's links on small screens, with Create Quest for startup roles (HEAD-08). */
export default function MobileMenuSheet({ isOpen, onOpenChange }: Openable) {
  const handleClose = () => onOpenChange(false);
  const session = useSession();
  const openFeedback = useOpenFeedback();
  const isSignedIn = session.status === 'signed-in';
  const links: NavigationLink[] = [
    ...mainLinks(session),
    ...(isSignedIn && isStartupRole(session.role) ? [{ to: paths.createQuest, label: 'Create Quest' }] : []),
    ...(session.status === 'signed-out' && isAuthConfigured() ? [{ to: paths.signIn(), label: 'Sign In' }] : []),
  ];
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Menu">
      <nav aria-label="Menu" className="grid">
        {links.map(({ to, label, hasWaitingCount }) => (
          <NavLink
            key={to}
            to={to}
            end={to === paths.founder}
            className="flex min-h-12 items-center border-b font-medium text-lg last:border-b-0 aria-[current=page]:text-action"
          >
            {label}
            {hasWaitingCount && <WaitingCount />}
          </NavLink>
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => {
            handleClose();
            openCommandMenu();
          }}
          className="flex min-h-12 items-center border-b text-left font-medium text-lg last:border-b-0"
        >
          Search and go to
        </button>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => {
            handleClose();
            openFeedback();
          }}
          className="flex min-h-12 items-center border-b text-left font-medium text-lg last:border-b-0"
        >
          Share Feedback
        </button>
      </nav>
      {isSignedIn && <RoleSwitch className="mt-4" delay={mobileRedirectDelay} onSwitch={handleClose} />}
    </Dialog>
  );
}
