import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Skeleton } from '@/components/ui/skeleton';
import { rewardQueries } from '../queries';
import { RedeemDialog } from './redeem-dialog';
import { RewardCard } from './reward-card';

function RewardListLoading() {
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3" aria-busy="true">
      {['first', 'second', 'third'].map((key) => (
        <Skeleton key={key} className="h-52 rounded-card sm:h-96" />
      ))}
    </div>
  );
}

type RewardListProps = {
  /** Null for visitors: a teaser of what there is, without redeeming (C-45). */
  balance: number | null;
  /** Most rewards to show; all when left out. */
  limit?: number;
};

/** What points can be redeemed for, and the dialog that does it. */
export function RewardList({ balance, limit }: RewardListProps) {
  const rewards = useQuery(rewardQueries.list());
  const [openId, setOpenId] = useState<string | null>(null);
  if (rewards.isPending) return <RewardListLoading />;
  if (rewards.isError && !rewards.data) {
    return (
      <ErrorState
        title="The rewards could not be loaded"
        error={rewards.error}
        onRetry={() => void rewards.refetch()}
        isRetrying={rewards.isFetching}
      />
    );
  }
  if (rewards.data.length === 0) {
    return (
      <EmptyState
        level={3}
        title="No rewards on the board yet"
        text="New rewards are being prepared. Your points keep their place."
      />
    );
  }
  // From the list and not from a copy, so that the open dialog follows the stock.
  const open = rewards.data.find(({ id }) => id === openId) ?? null;
  return (
    <>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {rewards.data.slice(0, limit).map((reward) => (
          <RewardCard
            key={reward.id}
            reward={reward}
            balance={balance}
            onOpen={balance === null ? undefined : ({ id }) => setOpenId(id)}
          />
        ))}
      </ul>
      {balance !== null && <RedeemDialog reward={open} balance={balance} onClose={() => setOpenId(null)} />}
    </>
  );
}
