import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Meter } from '@/components/ui/progress';
import { Skeleton } from '@/components/ui/skeleton';
import { cn } from '@/lib/cn';
import { type Reward, rewardQueries } from '../queries';
import { byReach, checkRedeem, distanceTo, formatStock, isOutOfStock, nextReward } from '../redeem-check';
import { RedeemDialog } from './redeem-dialog';
import { RewardPicture } from './reward-picture';

function RewardListLoading() {
  return (
    <div className="card-grid" aria-busy="true">
      {['first', 'second', 'third'].map((key) => (
        <Skeleton key={key} shape="card" className="h-52 sm:h-96" />
      ))}
    </div>
  );
}

type RewardListProps = {
  /** Null for visitors: a teaser of what there is, without redeeming (C-45). */
  balance: number | null;
  /** Points that count but cannot be redeemed yet (C-80). */
  held?: number;
  /** Most rewards to show; all when left out. */
  limit?: number;
};

/** What points can be redeemed for, and the dialog that does it. */
export function RewardList({ balance, held = 0, limit }: RewardListProps) {
  const rewards = useQuery(rewardQueries.list());
  const [opened, setOpened] = useState<Reward | null>(null);
  // The open dialog follows the stock, and stays when the reward is taken off the list meanwhile.
  const open = rewards.data?.find(({ id }) => id === opened?.id) ?? opened;
  return (
    <>
      <QueryView query={rewards} failure="The rewards could not be loaded" pending={<RewardListLoading />}>
        {(list) => {
          if (list.length === 0) {
            return (
              <EmptyState
                level={3}
                title="No rewards on the board yet"
                text="New rewards are coming. Your points stay in your wallet."
              />
            );
          }
          return (
            <>
              {balance !== null && <NextReward rewards={list} balance={balance} held={held} />}
              <ul className="card-grid">
                {byReach(list)
                  .slice(0, limit)
                  .map((reward) => (
                    <RewardCard
                      key={reward.id}
                      reward={reward}
                      balance={balance}
                      held={held}
                      onOpen={balance === null ? undefined : setOpened}
                    />
                  ))}
              </ul>
            </>
          );
        }}
      </QueryView>
      {balance !== null && <RedeemDialog reward={open} balance={balance} held={held} onClose={() => setOpened(null)} />}
    </>
  );
}

type NextRewardProps = { rewards: readonly Reward[]; balance: number; held: number };

/** The cheapest reward that the balance does not buy yet, and what is missing; nothing when it buys them all. */
function NextReward({ rewards, balance, held }: NextRewardProps) {
  const reward = nextReward(rewards, balance);
  if (!reward) return null;
  return (
    <Card as="section" aria-labelledby="next-reward" padding="sm" className="mb-4 flex items-center gap-4">
      <RewardPicture reward={reward} className="aspect-square w-16 shrink-0" />
      <div className="grid min-w-0 grow gap-1">
        <h3 id="next-reward" className="text-base">
          Next reward: {reward.title}
        </h3>
        <TowardsReward reward={reward} balance={balance} held={held} />
      </div>
    </Card>
  );
}

/** Progress of a balance towards a reward. */
function TowardsReward({ reward, balance, held }: { reward: Reward; balance: number; held: number }) {
  const text = distanceTo(reward, balance, held);
  return (
    <div className="grid gap-1">
      <span aria-hidden="true" className="text-muted text-sm">
        {text}
      </span>
      <Meter
        label={`Points towards ${reward.title}`}
        value={Math.min(balance + held, reward.points_cost)}
        max={reward.points_cost}
        valueText={text}
        tone="points"
        className="h-1.5"
      />
    </div>
  );
}

type RewardCardProps = {
  reward: Reward;
  /** Null for visitors, who see what there is but redeem nothing (C-45). */
  balance: number | null;
  held: number;
  onOpen?: (reward: Reward) => void;
};

/** A reward on the board: picture, cost, stock, and how many points are missing. On phones the picture is beside the text. */
function RewardCard({ reward, balance, held, onOpen }: RewardCardProps) {
  const check = checkRedeem(reward, balance ?? 0, held);
  const isSoldOut = isOutOfStock(reward);
  return (
    <Card
      as="li"
      data-sold-out={isSoldOut || undefined}
      padding="sm"
      className="grid grid-cols-[6rem_1fr] gap-x-4 gap-y-3 sm:grid-cols-1 sm:grid-rows-[auto_1fr_auto] data-sold-out:border-dashed data-sold-out:bg-transparent data-sold-out:shadow-none"
    >
      <RewardPicture
        reward={reward}
        className={cn('aspect-square w-full sm:aspect-16/9', isSoldOut && 'opacity-50 grayscale')}
      />
      <div className="grid min-w-0 content-start gap-1">
        <h3 className={cn('text-lg', isSoldOut && 'text-muted')}>{reward.title}</h3>
        {reward.description && (
          // The dialog has all of it, which visitors cannot open.
          <p className={cn('dir-auto text-muted', onOpen && 'line-clamp-2 sm:line-clamp-3')}>{reward.description}</p>
        )}
      </div>
      <div className="col-span-full grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Points value={reward.points_cost} className="text-lg" />
          {isSoldOut ? (
            <Badge tone="card" className="border">
              {formatStock(0)}
            </Badge>
          ) : (
            <span className="text-muted text-sm">{formatStock(reward.stock_quantity)}</span>
          )}
        </div>
        {balance !== null && check.shortfall > 0 && !isSoldOut && (
          <TowardsReward reward={reward} balance={balance} held={held} />
        )}
        {onOpen && (
          <Button
            variant={check.canRedeem ? 'primary' : 'secondary'}
            onClick={() => onOpen(reward)}
            aria-label={check.canRedeem ? `Redeem ${reward.title}` : `See details of ${reward.title}`}
          >
            {check.canRedeem ? 'Redeem' : 'See details'}
          </Button>
        )}
      </div>
    </Card>
  );
}
