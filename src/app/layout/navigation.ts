import type { Session } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { isStartupRole } from '@/lib/role';

export type NavigationLink = {
  to: string;
  label: string;
  /** Shows the number of the founder's pending proofs. */
  hasWaitingCount?: boolean;
};

/** Explore and Redeem Rewards for all, a dashboard link when signed in (HEAD-01, HEAD-03). */
export function mainLinks(session: Session): NavigationLink[] {
  const links: NavigationLink[] = [
    { to: paths.browse(), label: 'Explore' },
    { to: paths.rewards, label: 'Redeem Rewards' },
  ];
  if (session.status !== 'signed-in') return links;
  return isStartupRole(session.role)
    ? [
        ...links,
        { to: paths.founder, label: 'Project Dashboard' },
        { to: paths.review, label: 'Review', hasWaitingCount: true },
      ]
    : [...links, { to: paths.community, label: 'Community Dashboard' }];
}
