import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { DataColumn } from '@/components/data-table';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { describeError } from '@/lib/errors';
import { formatCount } from '@/lib/format';
import { ReasonDialog } from '../components/reason-dialog';
import { DateText, PersonLink } from '../components/table-cells';
import { AdminList, ListToolbar } from '../list/admin-list';
import { useAdminList, useListFilters } from '../list/paged-list';
import { adminTabPath } from '../tabs';
import { type PaymentDecision, useSettlePayment } from './mutations';
import { paymentQueries, type ReturnedPayment } from './queries';

const statuses = [
  ['open', 'To decide'],
  ['written_off', 'Written off'],
] as const;
const statusLabels = { paid: 'Paid', refunded: 'Refunded', disputed: 'Disputed' } as const;
const paymentKey = ({ id }: ReturnedPayment) => id;

type Asking = { decision: PaymentDecision; payment: ReturnedPayment };

/** Points spent before their payment was refunded or disputed: to be taken back, or written off (BEY-20, TRUST-23). */
export default function PaymentsTab() {
  const filter = useListFilters(
    statuses.map(([value]) => value),
    'open',
  );
  const list = useAdminList(paymentQueries.returned(filter.filters), paymentKey);
  const [asking, setAsking] = useState<Asking | null>(null);

  const columns: DataColumn<ReturnedPayment>[] = [
    {
      key: 'project',
      header: 'Project',
      namesRow: true,
      cell: (payment) => (
        <div className="grid justify-items-start gap-1 font-normal">
          {payment.startup_id ? (
            <Link
              to={adminTabPath('projects', { project: payment.startup_id })}
              className="wrap-anywhere font-semibold underline underline-offset-4"
            >
              {payment.startup_name}
            </Link>
          ) : (
            'Deleted project'
          )}
          <PersonLink userId={payment.owner_user_id} name={payment.owner_name} />
        </div>
      ),
    },
    {
      key: 'status',
      header: 'Payment',
      namesRow: true,
      cell: (payment) => (
        <div className="grid justify-items-start gap-1 max-md:justify-items-end">
          <StatusBadge status={statusLabels[payment.status]} />
          <DateText at={payment.updated_at} />
        </div>
      ),
    },
    { key: 'bought', header: 'Bought', isNumeric: true, cell: (payment) => <Points value={payment.points} /> },
    {
      key: 'missing',
      header: 'Missing',
      isNumeric: true,
      cell: (payment) => <Points value={payment.missing_points} />,
    },
    {
      key: 'available',
      header: 'Project has',
      isNumeric: true,
      cell: (payment) => <Points value={payment.available_points} />,
    },
    {
      key: 'decision',
      header: 'Decision',
      cell: (payment) =>
        payment.written_off_at ? (
          <span className="inline-flex flex-wrap items-center gap-2">
            <Badge>Written off</Badge>
            <DateText at={payment.written_off_at} />
          </span>
        ) : (
          <div className="flex flex-wrap gap-2 max-md:justify-end">
            <Button variant="secondary" onClick={() => setAsking({ decision: 'take_back', payment })}>
              Take back
            </Button>
            <Button variant="secondary" onClick={() => setAsking({ decision: 'write_off', payment })}>
              Write off
            </Button>
          </div>
        ),
    },
  ];

  return (
    <>
      <p className="mb-4 max-w-prose text-muted">
        Payments for points that were refunded or disputed after the points had been spent. What members earned stays
        theirs; what is missing is the project’s debt.
      </p>
      <ListToolbar filter={filter} statuses={statuses} allLabel="All of them" hasSort={false} />
      <AdminList
        list={list}
        noun="payment"
        columns={columns}
        rowKey={paymentKey}
        emptyTitle={filter.status === 'open' ? 'No payments to decide' : undefined}
        emptyText="A payment that is returned after its points were spent appears here."
        filter={filter}
        isFiltered={filter.status !== 'open' && filter.status !== 'all'}
      />
      {asking && <SettleDialog {...asking} onDone={list.applyUpdates} onClose={() => setAsking(null)} />}
    </>
  );
}

function SettleDialog({ decision, payment, onDone, onClose }: Asking & { onDone: () => void; onClose: () => void }) {
  const settle = useSettlePayment();
  const project = payment.startup_name ?? 'the deleted project';
  const missing = payment.missing_points;
  const isTakingBack = decision === 'take_back';
  return (
    <ReasonDialog
      title={
        isTakingBack ? `Take back what ${project} has?` : `Write off ${formatCount(missing, 'point')} for ${project}?`
      }
      consequence={
        isTakingBack
          ? `${formatCount(missing, 'point is', 'points are')} missing. The project’s free points go first, then the reserves of its latest quests, which become drafts. What waiting proofs were promised stays. The owner is told.`
          : 'What is missing stays where it is and leaves this list. Points that the project buys later are not touched.'
      }
      hint="For the audit log."
      missing="Please give a reason"
      confirmLabel={isTakingBack ? 'Take points back' : 'Write points off'}
      onConfirm={async (note) => {
        const left = await settle.mutateAsync({ purchaseId: payment.id, decision, note });
        onDone();
        const still = `${formatCount(left, 'point is', 'points are')} still missing`;
        if (!isTakingBack) toast.success('Written off');
        else if (left === payment.missing_points) toast.error(`There was nothing to take back: ${still}`);
        else toast.success(left === 0 ? 'All points are back' : still);
      }}
      failure={(error) => describeError(error, { prefix: 'Failed to settle the payment' })}
      subject={{ type: 'payment', id: payment.payment_ref }}
      onGiveUp={onDone}
      onClose={onClose}
    />
  );
}
