import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '@/components/error-state';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Skeleton } from '@/components/ui/skeleton';
import { type Wallet, walletQueries } from '@/features/wallet';
import { toAppError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { useUrlChoice } from '@/lib/url-state';
import { type RewardFeatures, useRewardFeatures } from '../use-reward-features';
import { HistoryView } from './history-view';
import { Leaderboard } from './leaderboard';
import { LevelCard } from './level-card';
import { PointsCard } from './points-card';
import { RecentActivity } from './recent-activity';
import { RedemptionList } from './redemption-list';
import { RewardList } from './reward-list';

type OverviewProps = { userId: string; wallet: Wallet | null | undefined; features: RewardFeatures };

function Overview({ userId, wallet, features }: OverviewProps) {
  return (
    <div className="grid gap-10">
      {wallet && (
        <div className="grid gap-4 md:grid-cols-2">
          <LevelCard wallet={wallet} />
          <PointsCard wallet={wallet} />
        </div>
      )}
      {features.isRewardListOn && (
        <section aria-labelledby="redeem" className="grid gap-4">
          <h2 id="redeem" className="text-2xl">
            Redeem your points
          </h2>
          <RewardList balance={wallet?.points ?? null} />
        </section>
      )}
      <RedemptionList userId={userId} />
      <div className="grid gap-10 lg:grid-cols-2">
        {wallet && <RecentActivity walletId={wallet.id} />}
        {features.isLeaderboardOn && <Leaderboard />}
      </div>
    </div>
  );
}

/** /rewards for members: points, level, rewards, what happened and who leads (REWARD-01..10). */
export function MyRewards({ userId }: { userId: string }) {
  const wallet = useQuery(walletQueries.own(userId));
  // Asked for here, beside the wallet and not after it.
  const features = useRewardFeatures();
  const [view] = useUrlChoice('view', ['overview', 'history']);
  const isHistory = view === 'history';
  // The overview waits for the checks too: a section that came later would push the others down.
  const isWaiting = wallet.isPending || (!isHistory && features.isPending);
  return (
    <div className="page-column pb-16">
      <PageMeta title={isHistory ? 'Your history' : 'My Rewards'} />
      <PageHeader
        title={isHistory ? 'Your history' : 'My Rewards'}
        lead={isHistory ? 'Every point that came or went.' : 'Your points, and what they are good for.'}
        back={isHistory ? { to: paths.rewards, label: 'Back to My Rewards' } : undefined}
      />
      {wallet.isError && (
        <div className="mb-8">
          <ErrorState
            title="Error Loading Data"
            text={`Failed to load wallet data: ${toAppError(wallet.error).message || 'Unknown error'}`}
            onRetry={() => void wallet.refetch()}
            isRetrying={wallet.isFetching}
          />
        </div>
      )}
      {isWaiting && (
        <div className="mb-10 grid gap-4 md:grid-cols-2" aria-busy="true">
          <Skeleton className="h-44 rounded-card" />
          <Skeleton className="h-44 rounded-card" />
        </div>
      )}
      {isHistory
        ? wallet.data && <HistoryView walletId={wallet.data.id} />
        : !isWaiting && <Overview userId={userId} wallet={wallet.data} features={features} />}
    </div>
  );
}
