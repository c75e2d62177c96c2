import { useState } from 'react';
import { CopyButton } from '@/components/copy-button';
import { type DataColumn, useRowSelection } from '@/components/data-table';
import { Notice } from '@/components/notice';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ScrollRegion } from '@/components/ui/scroll-region';
import { toast } from '@/components/ui/toast';
import { cn } from '@/lib/cn';
import { describeError } from '@/lib/errors';
import { formatCount } from '@/lib/format';
import { useUrlChoice } from '@/lib/url-state';
import { ReasonDialog } from '../components/reason-dialog';
import { EmailAddress, PersonLink, RelativeTime } from '../components/table-cells';
import { AdminList, FilterSelect, ListToolbar } from '../list/admin-list';
import { useAdminList, useListFilters } from '../list/paged-list';
import { type BatchOutcome, type RedemptionDecision, useDecideRedemption, useFulfilRedemptions } from './mutations';
import { type AdminRedemption, adminRedemptionQueries, deliveryLabels, type RedemptionAddress } from './queries';
import { RedemptionSources, SourceShares } from './redemption-sources';

const statuses = [
  ['pending', 'Pending'],
  ['fulfilled', 'Fulfilled'],
  ['cancelled', 'Cancelled'],
] as const;
const statusLabels = { pending: 'Pending', fulfilled: 'Fulfilled', cancelled: 'Cancelled' } as const;
const deliveries = ['all', 'code', 'mail', 'post', 'other'] as const;
const redemptionKey = ({ id }: AdminRedemption) => id;
const nameOf = ({ username }: AdminRedemption) => username ?? 'the member';

/** Whether a redemption can be fulfilled in a batch: flagged ones (C-95) and those of suspended members are decided one by one. */
const canBatch = ({ status, flagged_points, is_suspended }: AdminRedemption) =>
  status === 'pending' && flagged_points === 0 && !is_suspended;

/** The redemption queue, longest waiting first, with everything needed to decide (C-50, C-93, TRUST-17). */
export default function RedemptionsTab() {
  const filter = useListFilters(statuses.map(([value]) => value));
  const [delivery, setDelivery] = useUrlChoice('delivery', deliveries);
  const list = useAdminList(
    adminRedemptionQueries.list({ ...filter.filters, delivery: delivery === 'all' ? null : delivery }),
    redemptionKey,
  );
  const decide = useDecideRedemption();
  const [deciding, setDeciding] = useState<{ redemption: AdminRedemption; decision: RedemptionDecision } | null>(null);
  const batch = useBatch(list.rows);
  // The selection at the time of the press: another admin may handle some of it while the dialog is open.
  const [batching, setBatching] = useState<readonly AdminRedemption[]>([]);

  const columns: DataColumn<AdminRedemption>[] = [
    {
      key: 'reward',
      header: 'Reward',
      namesRow: true,
      cell: (row) => (
        <div className="font-normal">
          <p className="wrap-break-word font-semibold md:max-w-48">{row.reward_title}</p>
          <Points value={row.points_cost} weight="normal" className="text-sm" />
        </div>
      ),
    },
    {
      key: 'member',
      header: 'Member',
      namesRow: true,
      cell: (row) => (
        <div>
          <PersonLink userId={row.user_id} name={row.username} />
          {row.is_suspended && <Badge tone="danger">Suspended</Badge>}
          {row.email && (
            <p className="wrap-anywhere text-muted text-sm md:wrap-break-word md:max-w-36">
              <EmailAddress>{row.email}</EmailAddress>
            </p>
          )}
        </div>
      ),
    },
    { key: 'delivery', header: 'Delivery', cell: (row) => <Delivery redemption={row} /> },
    {
      key: 'sources',
      header: 'Points',
      cell: (row) => (row.sources ? <SourceSummary redemption={row} /> : <span className="text-muted">—</span>),
    },
    {
      key: 'status',
      header: 'Status',
      cell: (row) => (
        <div className="flex flex-col items-start gap-1 max-md:items-end">
          <StatusBadge status={statusLabels[row.status]} />
          <span className="text-muted text-sm">
            <RelativeTime at={row.created_at} />
          </span>
          {row.note && <span className="max-w-40 text-muted text-sm [overflow-wrap:anywhere]">{row.note}</span>}
        </div>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      cell: (redemption) => (
        <Actions redemption={redemption} onDecide={(decision) => setDeciding({ redemption, decision })} />
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
      >
        <FilterSelect
          label="Delivery"
          value={delivery}
          onChange={(value) => setDelivery(deliveries.find((choice) => choice === value) ?? 'all')}
          choices={[['all', 'Every delivery'], ...Object.entries(deliveryLabels)]}
        />
        {/* Not `disabled`: the focus returns to it from the dialog, when nothing is selected any more. */}
        <Button aria-disabled={batch.selected.length === 0} onClick={() => setBatching(batch.selected)}>
          {batch.selected.length === 0
            ? 'Fulfil selected'
            : `Fulfil ${formatCount(batch.selected.length, 'redemption')}`}
        </Button>
      </ListToolbar>
      {batch.leftOver.length > 0 && <LeftOver lines={batch.leftOver} onClose={batch.forget} />}
      <AdminList
        list={list}
        noun="redemption"
        columns={columns}
        rowKey={redemptionKey}
        selection={batch.selection}
        emptyText="What members redeem appears here, for you to fulfil."
        filter={filter}
        isFiltered={filter.search !== '' || filter.status !== 'all' || delivery !== 'all'}
      />
      {deciding && (
        <DecisionDialog
          key={deciding.redemption.id}
          {...deciding}
          onConfirm={async (note) => {
            const { redemption, decision } = deciding;
            await decide.mutateAsync({ redemptionId: redemption.id, decision, note });
            list.applyUpdates();
            toast.success(decision === 'fulfilled' ? 'Redemption fulfilled' : 'Redemption cancelled, points refunded');
          }}
          onGiveUp={list.applyUpdates}
          onClose={() => setDeciding(null)}
        />
      )}
      {batching.length > 0 && (
        <BatchDialog
          redemptions={batching}
          onConfirm={async (note) => {
            const fulfilled = await batch.fulfil(batching, note);
            list.applyUpdates();
            if (fulfilled > 0) toast.success(`${formatCount(fulfilled, 'redemption')} fulfilled`);
          }}
          onGiveUp={list.applyUpdates}
          onClose={() => setBatching([])}
        />
      )}
    </>
  );
}

const leftOverWords: Record<Exclude<BatchOutcome, 'fulfilled'>, string> = {
  handled: 'it has been handled already',
  own: 'it is your own: another admin decides it',
  flagged: 'it is flagged now: decide it by itself',
  suspended: 'its member is suspended now: decide it by itself',
  not_found: 'it is gone',
};

/** The selected rows, and the result of the batch for each. */
function useBatch(rows: readonly AdminRedemption[]) {
  const fulfilAll = useFulfilRedemptions();
  const [leftOver, setLeftOver] = useState<LeftOverLine[]>([]);
  const { selected, selection, clear } = useRowSelection(rows, {
    canSelect: canBatch,
    label: (row) => `Select ${row.reward_title} of ${nameOf(row)}`,
    allLabel: () => 'Select all that are not flagged',
  });
  const fulfil = async (redemptions: readonly AdminRedemption[], note: string) => {
    const outcomes = await fulfilAll.mutateAsync({ redemptionIds: redemptions.map(({ id }) => id), note });
    clear();
    setLeftOver(
      redemptions.flatMap((row) => {
        const outcome = outcomes.get(row.id) ?? 'not_found';
        if (outcome === 'fulfilled') return [];
        return [{ id: row.id, text: `${row.reward_title} of ${nameOf(row)}: ${leftOverWords[outcome]}.` }];
      }),
    );
    return [...outcomes.values()].filter((outcome) => outcome === 'fulfilled').length;
  };
  return { selected, selection, leftOver, forget: () => setLeftOver([]), fulfil };
}

/** A selected redemption that was not fulfilled, and why. */
type LeftOverLine = { id: string; text: string };

function LeftOver({ lines, onClose }: { lines: readonly LeftOverLine[]; onClose: () => void }) {
  return (
    <Notice
      tone="waiting"
      className="mb-4"
      title={formatCount(lines.length, 'redemption was left as it is', 'redemptions were left as they are')}
      actions={
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <ul role="alert">
        {lines.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </Notice>
  );
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** A postal address, line by line as on a parcel. Lines can be equal: Singapore is the city and the country. */
function addressText({ name, street, extra, postal_code, city, region, country }: RedemptionAddress): string {
  return [
    name,
    street,
    extra,
    [postal_code, city].filter(Boolean).join(' '),
    region,
    countryNames.of(country) ?? country,
  ]
    .filter(Boolean)
    .join('\n');
}

function Address({ text, className }: { text: string; className: string }) {
  return <address className={cn('whitespace-pre-line not-italic [overflow-wrap:anywhere]', className)}>{text}</address>;
}

/** Delivery: the postal address if one is stored, otherwise the kind. */
function Delivery({ redemption: { delivery, address, is_code_shown, status } }: { redemption: AdminRedemption }) {
  return (
    <div className="text-sm">
      <Badge>{deliveryLabels[delivery]}</Badge>
      {address && <Address text={addressText(address)} className="mt-1 min-w-24" />}
      {delivery === 'post' && !address && status !== 'cancelled' && <p className="mt-1 text-muted">Address deleted</p>}
      {delivery === 'code' && status === 'fulfilled' && (
        <p className="mt-1 text-muted">{is_code_shown ? 'Seen by the member' : 'Not seen yet'}</p>
      )}
    </div>
  );
}

/** Sources of the points in two lines: suspicious shares, and the largest sources. */
function SourceSummary({ redemption: { sources, flagged_points } }: { redemption: AdminRedemption }) {
  if (!sources) return null;
  const [first, ...others] = sources;
  return (
    <div className="min-w-24 max-w-56 text-sm max-md:ml-auto">
      {flagged_points > 0 && <Badge tone="warning">{formatCount(flagged_points, 'point')} from flagged proofs</Badge>}
      <SourceShares sources={sources} isShort />
      {first && (
        <p className="text-muted [overflow-wrap:anywhere]">
          {first.campaign_title ?? 'Other points'}
          {others.length > 0 && ` and ${others.length} more`}
        </p>
      )}
    </div>
  );
}

type ActionsProps = { redemption: AdminRedemption; onDecide: (decision: RedemptionDecision) => void };

function Actions({ redemption: { status, delivery }, onDecide }: ActionsProps) {
  // A code is delivered without a decision, so the redemption can still be cancelled.
  if (status === 'fulfilled' && delivery === 'code') {
    return (
      <Button variant="ghost" onClick={() => onDecide('cancelled')}>
        Refund
      </Button>
    );
  }
  if (status !== 'pending') return null;
  return (
    <div className="flex gap-2 max-md:grid max-md:grid-cols-2">
      <Button onClick={() => onDecide('fulfilled')}>Fulfil</Button>
      <Button variant="secondary" onClick={() => onDecide('cancelled')}>
        Cancel
      </Button>
    </div>
  );
}

/** Effect of cancelling on points and stock. */
function refundWords(redemption: AdminRedemption): string {
  const { delivery, returns_to_stock, is_code_shown } = redemption;
  const refund = `${nameOf(redemption)} gets ${formatCount(redemption.points_cost, 'point')} back`;
  const undo = 'It cannot be undone.';
  if (returns_to_stock)
    return `${refund}, and the ${delivery === 'code' ? 'code' : 'piece'} goes back into stock. ${undo}`;
  if (is_code_shown) return `${refund}, and the code stays out of stock, because it has been seen. ${undo}`;
  return `${refund}. ${undo}`;
}

/** When to fulfil, and what follows. */
function fulfilWords(redemption: AdminRedemption): string {
  const { delivery } = redemption;
  const name = nameOf(redemption);
  const follows = 'They get a mail with your note. It cannot be undone.';
  if (delivery === 'code') return `${name} can read the code from now on. ${follows}`;
  return `Do this once ${delivery === 'post' ? `it is on its way to ${name}` : `${name} has it`}. ${follows}`;
}

type DecisionDialogProps = {
  redemption: AdminRedemption;
  decision: RedemptionDecision;
  onConfirm: (note: string) => Promise<void>;
  onGiveUp: () => void;
  onClose: () => void;
};

function DecisionDialog({ redemption, decision, onConfirm, onGiveUp, onClose }: DecisionDialogProps) {
  const isFulfilling = decision === 'fulfilled';
  return (
    <ReasonDialog
      title={isFulfilling ? `Fulfil “${redemption.reward_title}”?` : `Cancel “${redemption.reward_title}”?`}
      consequence={isFulfilling ? fulfilWords(redemption) : refundWords(redemption)}
      label="Note to the member"
      hint={isFulfilling ? 'A tracking number, a thank you. Optional.' : 'Why it is cancelled. Optional, but kind.'}
      confirmLabel={isFulfilling ? 'Fulfil redemption' : 'Cancel and refund'}
      dismissLabel={isFulfilling ? undefined : 'Keep redemption'}
      isDangerous={!isFulfilling}
      onConfirm={onConfirm}
      failure={(error) => describeError(error, { prefix: 'Failed to update the redemption' })}
      subject={{ type: 'redemption', id: redemption.id }}
      onGiveUp={onGiveUp}
      onClose={onClose}
    >
      {redemption.address && isFulfilling && <PostalAddress address={redemption.address} />}
      {redemption.sources && <RedemptionSources sources={redemption.sources} />}
    </ReasonDialog>
  );
}

function PostalAddress({ address }: { address: RedemptionAddress }) {
  const text = addressText(address);
  return (
    <div className="flex flex-wrap items-start justify-between gap-3 rounded-control border p-4">
      <Address text={text} className="min-w-0" />
      <CopyButton text={text} label="Copy address" />
    </div>
  );
}

type BatchDialogProps = {
  redemptions: readonly AdminRedemption[];
  onConfirm: (note: string) => Promise<void>;
  onGiveUp: () => void;
  onClose: () => void;
};

function BatchDialog({ redemptions, onConfirm, onGiveUp, onClose }: BatchDialogProps) {
  return (
    <ReasonDialog
      title={`Fulfil ${formatCount(redemptions.length, 'redemption')}?`}
      consequence="Do this once the members have what they redeemed, or it is on its way to them. Each gets a mail with your note. It cannot be undone."
      label="Note to the members"
      hint="The same for all of them. Optional."
      confirmLabel="Fulfil redemptions"
      isDangerous={false}
      onConfirm={onConfirm}
      failure={(error) => describeError(error, { prefix: 'Failed to fulfil the redemptions' })}
      onGiveUp={onGiveUp}
      onClose={onClose}
    >
      <ScrollRegion label="Redemptions" className="max-h-48 rounded-control bg-sunken p-4">
        <ul>
          {redemptions.map((redemption) => (
            <li key={redemption.id}>
              {redemption.reward_title} · {nameOf(redemption)}
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </ReasonDialog>
  );
}
