import { useState } from 'react';
import type { DataColumn } from '@/components/data-table';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { formatPoints } from '@/lib/format';
import { PersonLink } from '../components/person-link';
import { ReasonDialog } from '../components/reason-dialog';
import { RelativeTime } from '../components/time';
import { AdminList, ListToolbar, useAdminList, useListFilters } from '../list';
import { withReason } from '../use-admin-mutation';
import { type RedemptionDecision, useDecideRedemption } from './mutations';
import { type AdminRedemption, adminRedemptionQueries } from './queries';
import { RedemptionSources } from './redemption-sources';

const statuses = [
  ['pending', 'Pending'],
  ['fulfilled', 'Fulfilled'],
  ['cancelled', 'Cancelled'],
] as const;
const stamps = { pending: 'Pending', fulfilled: 'Fulfilled', cancelled: 'Cancelled' } as const;
const redemptionKey = ({ id }: AdminRedemption) => id;

/** What members redeemed: pending first; fulfil, or cancel with a refund (C-50, TRUST-10). */
export function RedemptionsTab() {
  const filter = useListFilters(statuses.map(([value]) => value));
  const list = useAdminList(adminRedemptionQueries.list(filter.filters), redemptionKey);
  const decide = useDecideRedemption();
  const [deciding, setDeciding] = useState<{ redemption: AdminRedemption; decision: RedemptionDecision } | null>(null);

  const columns: DataColumn<AdminRedemption>[] = [
    {
      key: 'reward',
      header: 'Reward',
      cell: (row) => (
        <div className="font-normal">
          <p className="font-semibold [overflow-wrap:anywhere]">{row.reward_title}</p>
          <Points value={row.points_cost} className="font-normal text-sm" />
        </div>
      ),
    },
    {
      key: 'member',
      header: 'Member',
      cell: (row) => (
        <div>
          <PersonLink userId={row.user_id} name={row.username} />
          <p className="max-w-48 truncate text-muted text-sm max-md:ml-auto" title={row.email ?? undefined}>
            {row.email}
          </p>
        </div>
      ),
    },
    {
      key: 'redeemed',
      header: 'Redeemed',
      cell: (row) => <RelativeTime at={row.created_at} />,
    },
    {
      key: 'status',
      header: 'Status',
      cell: (row) => (
        <div className="flex flex-col items-start gap-1 max-md:items-end">
          <StatusBadge status={stamps[row.status]} />
          {row.flagged_points > 0 && (
            <Badge tone="warning">{formatPoints(row.flagged_points)} points from flagged proofs</Badge>
          )}
          {row.note && <span className="max-w-56 text-muted text-sm [overflow-wrap:anywhere]">{row.note}</span>}
        </div>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      cell: (redemption) =>
        redemption.status === 'pending' ? (
          <div className="flex flex-wrap gap-2 max-md:justify-end">
            <Button onClick={() => setDeciding({ redemption, decision: 'fulfilled' })}>Fulfil</Button>
            <Button variant="secondary" onClick={() => setDeciding({ redemption, decision: 'cancelled' })}>
              Cancel
            </Button>
          </div>
        ) : (
          <span className="text-muted">—</span>
        ),
    },
  ];

  return (
    <>
      <ListToolbar
        filter={filter}
        searchLabel="Search members"
        statuses={statuses}
        allLabel="All, pending first"
        hasSort={false}
      />
      <AdminList
        list={list}
        noun="redemption"
        columns={columns}
        rowKey={redemptionKey}
        emptyText="What members redeem appears here, for you to fulfil."
        isFiltered={filter.search !== '' || filter.status !== 'all'}
        onReset={filter.reset}
      />
      {deciding && (
        <DecisionDialog
          key={deciding.redemption.id}
          {...deciding}
          onConfirm={async (note) => {
            const { redemption, decision } = deciding;
            await decide.mutateAsync({ redemptionId: redemption.id, decision, note });
            list.accept();
            toast.success(decision === 'fulfilled' ? 'Redemption fulfilled' : 'Redemption cancelled, points refunded');
          }}
          onClose={() => setDeciding(null)}
        />
      )}
    </>
  );
}

type DecisionDialogProps = {
  redemption: AdminRedemption;
  decision: RedemptionDecision;
  onConfirm: (note: string) => Promise<void>;
  onClose: () => void;
};

function DecisionDialog({ redemption, decision, onConfirm, onClose }: DecisionDialogProps) {
  const name = redemption.username ?? 'the member';
  const isFulfilling = decision === 'fulfilled';
  return (
    <ReasonDialog
      title={isFulfilling ? `Fulfil “${redemption.reward_title}”?` : `Cancel “${redemption.reward_title}”?`}
      consequence={
        isFulfilling
          ? `Do this after ${name} has it. They get a mail with your note. It cannot be undone.`
          : `${name} gets ${formatPoints(redemption.points_cost)} points back, the piece goes back into stock. It cannot be undone.`
      }
      label="Note to the member"
      hint={
        isFulfilling ? 'A code, a tracking number, a thank you. Optional.' : 'Why it is cancelled. Optional, but kind.'
      }
      confirmLabel={isFulfilling ? 'Fulfil redemption' : 'Cancel and refund'}
      isDangerous={!isFulfilling}
      onConfirm={onConfirm}
      failure={(error) => withReason('Failed to update the redemption', error)}
      onClose={onClose}
    >
      <RedemptionSources redemptionId={redemption.id} />
    </ReasonDialog>
  );
}
