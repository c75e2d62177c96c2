import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig, CircleOff, Clock } from 'lucide-react';
import type { DataColumn } from '@/components/data-table';
import { QueryView } from '@/components/query-view';
import { type Stat, StatCards, StatCardsSkeleton } from '@/components/stat-cards';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import type { CsvColumn } from '@/lib/csv';
import { describeError } from '@/lib/errors';
import { formatNumber, isoDay } from '@/lib/format';
import type { Tables } from '@/types/database';
import { ExportButton } from '../components/export-button';
import { Id } from '../components/section';
import { DateText } from '../components/table-cells';
import { AdminList, ListToolbar } from '../list/admin-list';
import { useAdminList, useListFilters } from '../list/paged-list';
import { useSwitchSubscriber } from './mutations';
import { adminMailingQueries, fetchAllSubscribers, type MailingListStats, type Subscriber } from './queries';

const statuses = [
  ['active', 'Active'],
  ['pending', 'Pending'],
  ['unsubscribed', 'Inactive'],
] as const;
const subscriberKey = ({ id }: Subscriber) => id;
/** Characters of an id that the table shows (ADMIN-07). */
const idLength = 8;

/** Subscribers and unsubscribed addresses (ADMIN-07, ADMIN-08, C-50). */
export default function MailingListTab() {
  const filter = useListFilters(statuses.map(([value]) => value));
  const list = useAdminList(adminMailingQueries.list(filter.filters), subscriberKey);
  const change = useSwitchSubscriber();

  const handleSwitch = async ({ id, email, is_active }: Subscriber) => {
    try {
      await change.mutateAsync({ id, isActive: !is_active });
      list.applyUpdates();
      toast.success(is_active ? `${email} gets no more mailings` : `${email} gets mailings again`, id);
    } catch (error) {
      // It may have changed, by this call whose answer was lost.
      list.applyUpdates();
      toast.error(describeError(error, { prefix: 'Failed to change the subscriber' }), id);
    }
  };

  const columns: DataColumn<Subscriber>[] = [
    { key: 'email', header: 'Email', cell: ({ email }) => <Address email={email} /> },
    { key: 'source', header: 'Source', cell: ({ source }) => <Badge>{source}</Badge> },
    { key: 'campaign', header: 'Quest', cell: (row) => <Id length={idLength}>{row.campaign_id}</Id> },
    { key: 'user', header: 'User ID', cell: (row) => <Id length={idLength}>{row.user_id}</Id> },
    { key: 'subscribed', header: 'Subscribed', cell: (row) => <DateText at={row.subscribed_at} /> },
    { key: 'status', header: 'Status', cell: (row) => <SubscriptionStatus status={row.status} /> },
    {
      key: 'actions',
      header: 'Actions',
      // Only the holder of an address can confirm it (C-82).
      cell: (row) =>
        row.status !== 'pending' && (
          <Button
            variant="ghost"
            isLoading={change.isPending && change.variables.id === row.id}
            aria-label={`${row.is_active ? 'Deactivate' : 'Activate'} ${row.email}`}
            onClick={() => handleSwitch(row)}
          >
            {row.is_active ? 'Deactivate' : 'Activate'}
          </Button>
        ),
    },
  ];

  return (
    <div className="grid gap-5">
      <MailingFigures />
      <div>
        <ListToolbar filter={filter} searchLabel="Search addresses" statuses={statuses} allLabel="All subscribers">
          <ExportButton
            label="Export Emails"
            name="mailing_list"
            columns={mailingListColumns}
            fetchRows={fetchAllSubscribers}
            what="the mailing list"
            failure="Failed to export mailing list"
          />
        </ListToolbar>
        <AdminList
          list={list}
          noun="subscriber"
          columns={columns}
          rowKey={subscriberKey}
          emptyText="Addresses from the footer's form appear here."
          filter={filter}
          isFiltered={filter.search !== '' || filter.status !== 'all'}
        />
      </div>
    </div>
  );
}

/** An e-mail address that wraps before its @. */
function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <span className="[overflow-wrap:anywhere]">
      {email.slice(0, at)}
      <wbr />
      <span className="font-normal text-muted text-sm">{email.slice(at)}</span>
    </span>
  );
}

function SubscriptionStatus({ status }: Pick<Subscriber, 'status'>) {
  if (status === 'active') {
    return (
      <Badge tone="action">
        <CircleCheckBig aria-hidden="true" />
        Active
      </Badge>
    );
  }
  return status === 'pending' ? (
    <Badge tone="warning">
      <Clock aria-hidden="true" />
      Pending
    </Badge>
  ) : (
    <Badge>
      <CircleOff aria-hidden="true" />
      Inactive
    </Badge>
  );
}

function MailingFigures() {
  const stats = useQuery(adminMailingQueries.stats());
  return (
    <QueryView query={stats} failure="The mailing list's figures could not be loaded" pending={<StatCardsSkeleton />}>
      {(figures) => <StatCards label="Mailing list figures" stats={mailingFigures(figures)} />}
    </QueryView>
  );
}

/** The specified cards; if quests and the website do not add up to the total, one for the rest (ADMIN-07, C-112). */
function mailingFigures(figures: MailingListStats): Stat[] {
  const { total_subscribers: total, recent_subscribers: recent, campaign_subscribers: fromQuests } = figures;
  const fromWebsite = figures.subscribers_by_source.website ?? 0;
  const others = total - fromQuests - fromWebsite;
  return [
    { label: 'Total Subscribers', value: formatNumber(total), note: 'confirmed, and not unsubscribed' },
    { label: 'Recent 7 days', value: formatNumber(recent), note: 'of the total' },
    { label: 'From Quests', value: formatNumber(fromQuests), note: 'ticked when they sent a proof' },
    { label: 'Website Signups', value: formatNumber(fromWebsite), note: 'by the form in the footer' },
    ...(others > 0 ? [{ label: 'Other', value: formatNumber(others), note: 'imported, or from an earlier form' }] : []),
  ];
}

/** Columns of the export: the table's fields, days in ISO 8601 (C-55). Mailings go to active entries alone. */
const mailingListColumns: CsvColumn<Tables<'mailing_list'>>[] = [
  { header: 'id', value: (row) => row.id },
  { header: 'email', value: (row) => row.email },
  { header: 'source', value: (row) => row.source },
  { header: 'campaign_id', value: (row) => row.campaign_id },
  { header: 'user_id', value: (row) => row.user_id },
  { header: 'subscribed_at', value: (row) => isoDay(row.subscribed_at) },
  { header: 'is_active', value: (row) => row.is_active },
  { header: 'status', value: (row) => row.status },
  { header: 'metadata', value: (row) => JSON.stringify(row.metadata) },
];
