import type { Session } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { isStartupRole } from '@/lib/role';

export type NavigationLink = { to: string; label: string };

/** Explore and Redeem Rewards for all, a dashboard link when signed in (HEAD-01, HEAD-03). */
export function mainLinks(session: Session): NavigationLink[] {
  const links = [
    { to: paths.browse(), label: 'Explore' },
    { to: paths.rewards, label: 'Redeem Rewards' },
  ];
  if (session.status !== 'signed-in') return links;
  return isStartupRole(session.role)
    ? [...links, { to: paths.founder, label: 'Project Dashboard' }]
    : [...links, { to: paths.community, label: 'Community Dashboard' }];
}
