import { Skeleton } from '@/components/ui/skeleton';
import { useSession } from '@/lib/auth';
import { MyRewards } from '../components/my-rewards';
import { RewardsTeaser } from '../components/rewards-teaser';

/** /rewards: one's own for members, a teaser for visitors (REWARD-01). */
export default function RewardsPage() {
  const { status, userId } = useSession();
  if (status === 'loading') {
    return (
      <div className="page-column grid gap-8 py-8" aria-busy="true">
        <Skeleton className="h-10 w-64" />
        <Skeleton className="h-44 rounded-card" />
        <Skeleton className="h-96 rounded-card" />
      </div>
    );
  }
  return userId ? <MyRewards userId={userId} /> : <RewardsTeaser />;
}
