import { Compass, Gift, Store, Users } from 'lucide-react';
import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';

const tiles = [
  { to: paths.browse(), title: 'Explore quests', text: 'Find something to try today.', icon: Compass },
  { to: paths.browse('projects'), title: 'Meet the projects', text: 'See who is behind the quests.', icon: Store },
  { to: paths.rewards, title: 'Rewards and wallet', text: 'Spend what you have earned.', icon: Gift },
  { to: paths.referrals, title: 'Your referrals', text: 'Bring friends, both of you earn.', icon: Users },
];

/** Where one can go from the dashboard (DASH-01). */
export function DashboardTiles() {
  return (
    <ul aria-label="Where to go" className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      {tiles.map(({ to, title, text, icon: Icon }) => (
        <li key={to} className="grid">
          <Link
            to={to}
            className="grid content-start gap-2 rounded-card border bg-card p-4 shadow-card transition-colors hover:border-field sm:p-5"
          >
            <Icon aria-hidden="true" className="size-7 text-action" strokeWidth={1.6} />
            <span className="font-bold font-display text-lg leading-tight">{title}</span>
            <span className="text-muted text-sm">{text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
