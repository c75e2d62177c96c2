import { CircleAlert, CircleCheckBig, Hourglass, type LucideIcon } from 'lucide-react';
import type { DataColumn } from '@/components/data-table';
import { Badge, type Tone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { describeError } from '@/lib/errors';
import { formatCount } from '@/lib/format';
import { DateTime, PersonLink } from '../components/table-cells';
import { AdminList, ListToolbar } from '../list/admin-list';
import { useAdminList, useListFilters } from '../list/paged-list';
import { useRetryAllEvents, useRetryEvent } from './mutations';
import { mailQueries, type OutboxEvent } from './queries';

const statuses = [
  ['failed', 'Failed'],
  ['waiting', 'Waiting'],
  ['done', 'Done'],
] as const;
const eventKey = ({ id }: OutboxEvent) => String(id);

type State = { word: string; tone: Tone; icon: LucideIcon };

function stateOf(event: OutboxEvent): State {
  if (event.failed_at) return { word: 'Failed', tone: 'danger', icon: CircleAlert };
  if (event.processed_at) return { word: 'Done', tone: 'action', icon: CircleCheckBig };
  return { word: 'Waiting', tone: 'warning', icon: Hourglass };
}

/** 'RedemptionFulfilled' -> 'Redemption fulfilled'. */
function formatType(type: string): string {
  const words = type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The outbox: mails sent, waiting and failed (dead letters first). */
export default function MailTab() {
  const filter = useListFilters(
    statuses.map(([value]) => value),
    'failed',
  );
  const list = useAdminList(mailQueries.list(filter.filters.status), eventKey);
  const retry = useRetryEvent();
  const retryAll = useRetryAllEvents();

  const handleRetry = async ({ id }: OutboxEvent) => {
    try {
      await retry.mutateAsync(id);
      list.applyUpdates();
      toast.success('It will be tried again now', `mail ${id}`);
    } catch (error) {
      // Another admin may have been faster.
      list.applyUpdates();
      toast.error(describeError(error, { prefix: 'Failed to try again' }), `mail ${id}`);
    }
  };

  const handleRetryAll = async () => {
    try {
      const count = await retryAll.mutateAsync();
      list.applyUpdates();
      toast.success(`${formatCount(count, 'mail')} will be tried again now`, 'all mails');
    } catch (error) {
      list.applyUpdates();
      toast.error(describeError(error, { prefix: 'Failed to try again' }), 'all mails');
    }
  };

  const columns: DataColumn<OutboxEvent>[] = [
    {
      key: 'type',
      header: 'Event',
      namesRow: true,
      cell: (event) => <span className="font-semibold">{formatType(event.type)}</span>,
    },
    {
      key: 'who',
      header: 'For',
      namesRow: true,
      cell: (event) => (event.user_id ? <PersonLink userId={event.user_id} name={event.username} /> : '—'),
    },
    { key: 'state', header: 'State', cell: (event) => <StateBadge {...stateOf(event)} /> },
    {
      key: 'tries',
      header: 'Tries',
      cell: (event) => (
        <>
          {formatCount(event.attempts, 'try', 'tries')}
          {event.last_error && <p className="text-muted text-sm [overflow-wrap:anywhere]">{event.last_error}</p>}
        </>
      ),
    },
    { key: 'created', header: 'Created', cell: (event) => <DateTime at={event.created_at} /> },
    {
      key: 'actions',
      header: 'Actions',
      cell: (event) =>
        event.failed_at ? (
          <Button
            variant="secondary"
            className="whitespace-nowrap"
            isLoading={retry.isPending && retry.variables === event.id}
            onClick={() => handleRetry(event)}
          >
            Try again
          </Button>
        ) : null,
    },
  ];

  return (
    <>
      <ListToolbar filter={filter} statuses={statuses} allLabel="All events" hasSort={false}>
        {/* Kept when nothing is left, and aria-disabled instead of disabled, because it may have the focus. */}
        {filter.status === 'failed' && (
          <Button
            variant="secondary"
            isLoading={retryAll.isPending}
            aria-disabled={list.rows.length === 0}
            onClick={list.rows.length > 0 ? handleRetryAll : undefined}
          >
            Try all again
          </Button>
        )}
      </ListToolbar>
      <AdminList
        list={list}
        noun={filter.status === 'failed' ? 'failed mail' : 'event'}
        plural={filter.status === 'failed' ? 'failed mails' : 'events'}
        columns={columns}
        rowKey={eventKey}
        emptyTitle="No failed mails"
        emptyText="Mails that we gave up on are listed here, with the reason."
        filter={filter}
        isFiltered={filter.status !== 'failed'}
      />
    </>
  );
}

function StateBadge({ word, tone, icon: Icon }: State) {
  return (
    <Badge tone={tone} className="whitespace-nowrap">
      <Icon aria-hidden="true" />
      {word}
    </Badge>
  );
}
