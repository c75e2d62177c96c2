import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { PointsBalance } from '@/components/points';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { walletQueries } from '../queries';

/** The wallet's points in the header, for the community role only (HEAD-06). Links to the rewards. */
export function PointsChip() {
  const { userId, role } = useSession();
  const isShown = userId !== null && role === 'community';
  const { data: wallet } = useQuery({ ...walletQueries.own(userId ?? ''), enabled: isShown });
  // Reserves the chip's space while it loads; on failure shows nothing rather than a wrong number.
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
