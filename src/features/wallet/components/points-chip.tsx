import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { PointsBalance } from '@/components/points';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { walletQueries } from '../queries';

/** The wallet's points in the header, for the community role and no other (HEAD-06). Leads to the rewards. */
export function PointsChip() {
  const { userId, role } = useSession();
  const isShown = userId !== null && role === 'community';
  const { data: wallet } = useQuery({ ...walletQueries.own(userId ?? ''), enabled: isShown });
  // Room for the chip is kept while it loads; a wallet that cannot be read is no reason to show a wrong number.
  if (!isShown) return null;
  return (
    <Link
      to={paths.rewards}
      data-points-chip
      aria-label={wallet ? undefined : 'Your points'}
      className="inline-flex min-h-11 min-w-16 items-center justify-center rounded-full bg-points-soft px-3 hover:underline max-sm:px-2"
    >
      {wallet && <PointsBalance value={wallet.points} />}
    </Link>
  );
}
