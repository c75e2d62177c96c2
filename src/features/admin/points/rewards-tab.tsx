import { useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@/components/alert-dialogs';
import { DataTable } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useRowFocus } from '@/components/use-row-focus';
import { type Reward, RewardPicture } from '@/features/rewards';
import { describeError } from '@/lib/errors';
import { formatNumber, formatUsd } from '@/lib/format';
import { useDeleteReward, useSaveReward } from './mutations';
import { adminRewardQueries } from './queries';
import { RewardDialog } from './reward-dialog';

/** Managing rewards: create, edit, stock, deactivate, delete (SEC-10, C-45). */
export default function RewardsTab() {
  const rewards = useQuery(adminRewardQueries.all());
  const save = useSaveReward();
  const remove = useDeleteReward();
  const [edited, setEdited] = useState<Reward | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Reward | null>(null);
  const focus = useRowFocus((rewards.data ?? []).map(({ id }) => id));

  const handleSwitch = async (reward: Reward) => {
    try {
      await save.mutateAsync({ reward, values: { is_active: !reward.is_active } });
      toast.success(reward.is_active ? `${reward.title} is hidden` : `${reward.title} can be redeemed`, reward.id);
    } catch (error) {
      toast.error(describeError(error, { prefix: 'Failed to save the reward' }), reward.id);
    }
  };

  return (
    <div className="grid gap-4">
      <Button className="justify-self-start" onClick={() => setEdited('new')}>
        <Plus aria-hidden="true" />
        New reward
      </Button>
      <div ref={focus.list} tabIndex={-1} className="outline-none">
        <QueryView query={rewards} failure="The rewards could not be loaded">
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState
                title="No rewards yet"
                text="Create the first thing that points can be redeemed for."
                drawing="purse"
              />
            ) : (
              <DataTable
                caption="Rewards"
                rows={rows}
                rowKey={({ id }) => id}
                columns={[
                  { key: 'title', header: 'Reward', cell: (reward) => <RewardName reward={reward} /> },
                  {
                    key: 'cost',
                    header: 'Cost',
                    isNumeric: true,
                    cell: (reward) => <Points value={reward.points_cost} />,
                  },
                  {
                    key: 'stock',
                    header: 'Stock',
                    isNumeric: true,
                    cell: (reward) => <Stock left={reward.stock_quantity} />,
                  },
                  {
                    key: 'status',
                    header: 'Status',
                    cell: (reward) => (
                      <Badge tone={reward.is_active ? 'action' : 'neutral'}>
                        {reward.is_active ? 'Active' : 'Inactive'}
                      </Badge>
                    ),
                  },
                  {
                    key: 'actions',
                    header: 'Actions',
                    cell: (reward) => (
                      <div className="flex flex-wrap gap-2 max-md:justify-end xl:flex-nowrap">
                        <Button
                          variant="secondary"
                          aria-label={`Edit ${reward.title}`}
                          onClick={() => setEdited(reward)}
                        >
                          Edit
                        </Button>
                        <Button
                          variant="ghost"
                          isLoading={save.isPending && save.variables.reward?.id === reward.id}
                          onClick={() => handleSwitch(reward)}
                        >
                          {reward.is_active ? 'Deactivate' : 'Activate'}
                        </Button>
                        <Button
                          variant="ghost-danger"
                          size="icon"
                          aria-label={`Delete ${reward.title}`}
                          onClick={() => setDeleting(reward)}
                        >
                          <Trash2 aria-hidden="true" />
                        </Button>
                      </div>
                    ),
                  },
                ]}
              />
            )
          }
        </QueryView>
      </div>
      {edited && <RewardDialog reward={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      <ConfirmDialog
        isOpen={deleting !== null}
        onOpenChange={() => setDeleting(null)}
        title={`Delete “${deleting?.title}”?`}
        consequence="It is gone for good. A reward that somebody has redeemed cannot be deleted; deactivate it instead."
        confirmLabel="Delete reward"
        onConfirm={async () => {
          if (!deleting) return;
          await remove.mutateAsync(deleting.id);
          toast.success('Reward deleted');
        }}
      />
    </div>
  );
}

function RewardName({ reward }: { reward: Reward }) {
  return (
    <div className="flex min-w-0 items-center gap-3 font-normal">
      <RewardPicture reward={reward} className="aspect-16/9 w-20 shrink-0" />
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">{reward.title}</p>
        <p className="dir-auto line-clamp-1 text-muted text-sm [overflow-wrap:anywhere]">{reward.description}</p>
        {reward.cash_value_cents !== null && (
          <p className="text-muted text-sm">Worth {formatUsd(reward.cash_value_cents)}</p>
        )}
      </div>
    </div>
  );
}

function Stock({ left }: { left: number | null }) {
  if (left === null) return <span className="text-muted">Unlimited</span>;
  return <span className={left === 0 ? 'font-semibold text-danger' : undefined}>{formatNumber(left)}</span>;
}
