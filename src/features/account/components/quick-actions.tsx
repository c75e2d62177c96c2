import { ChevronRight, Compass, Gift, UserRound } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Card } from '@/components/ui/card';
import { paths } from '@/lib/paths';

const actions = [
  { to: paths.profile, label: 'Edit profile', icon: UserRound },
  { to: paths.rewards, label: 'View rewards', icon: Gift },
  { to: paths.community, label: 'Go to the community', icon: Compass },
];

/** Ways on from the settings (PROF-02). */
export function QuickActions() {
  return (
    <Card as="section" aria-labelledby="quick-actions">
      <h2 id="quick-actions" className="mb-2 text-xl">
        Quick Actions
      </h2>
      <ul>
        {actions.map(({ to, label, icon: Icon }) => (
          <li key={to} className="border-b last:border-b-0">
            <Link to={to} className="flex min-h-12 items-center gap-3 font-medium hover:text-action">
              <Icon aria-hidden="true" className="size-5 text-muted" />
              {label}
              <ChevronRight aria-hidden="true" className="ml-auto size-4 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
