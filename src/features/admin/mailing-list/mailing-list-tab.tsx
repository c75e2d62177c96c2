import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig, CircleOff } from 'lucide-react';
import type { DataColumn } from '@/components/data-table';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { formatNumber } from '@/lib/format';
import { Id } from '../components/detail-list';
import { ExportButton, rowsInWords } from '../components/export-button';
import { FigureTiles, FigureTilesSkeleton } from '../components/figure-tiles';
import { Loaded } from '../components/loaded';
import { Day } from '../components/times';
import { downloadCsv } from '../export';
import { AdminList, ListToolbar, useAdminList, useListFilters } from '../list';
import { withReason } from '../with-reason';
import { mailingListColumns } from './mailing-list-csv';
import { useSwitchSubscriber } from './mutations';
import { adminMailingQueries, fetchAllSubscribers, type Subscriber } from './queries';

const statuses = [
  ['active', 'Active'],
  ['inactive', 'Inactive'],
] as const;
const subscriberKey = ({ id }: Subscriber) => id;
/** Characters of an id that the table shows (ADMIN-07). */
const idLength = 8;

/** Who gets mailings, and who no longer does (ADMIN-07, ADMIN-08, C-50). */
export function MailingListTab() {
  const filter = useListFilters(statuses.map(([value]) => value));
  const list = useAdminList(adminMailingQueries.list(filter.filters), subscriberKey);
  const change = useSwitchSubscriber();

  const handleSwitch = async ({ id, email, is_active }: Subscriber) => {
    try {
      await change.mutateAsync({ id, isActive: !is_active });
      list.accept();
      toast.success(is_active ? `${email} gets no more mailings` : `${email} gets mailings again`);
    } catch (error) {
      toast.error(withReason('Failed to change the subscriber', error));
    }
  };

  const columns: DataColumn<Subscriber>[] = [
    { key: 'email', header: 'Email', cell: ({ email }) => <Address email={email} /> },
    { key: 'source', header: 'Source', cell: ({ source }) => <Badge>{source}</Badge> },
    { key: 'campaign', header: 'Campaign', cell: (row) => <Id length={idLength}>{row.campaign_id}</Id> },
    { key: 'user', header: 'User ID', cell: (row) => <Id length={idLength}>{row.user_id}</Id> },
    { key: 'subscribed', header: 'Subscribed', cell: (row) => <Day at={row.subscribed_at} /> },
    { key: 'status', header: 'Status', cell: (row) => <ActiveBadge isActive={row.is_active} /> },
    {
      key: 'actions',
      header: 'Actions',
      cell: (row) => (
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
            failure="Failed to export mailing list"
            run={async (onProgress) => {
              const rows = await fetchAllSubscribers((count) => onProgress(rowsInWords(count)));
              await downloadCsv('mailing_list', rows, mailingListColumns);
              return `Exported ${rowsInWords(rows.length)} of the mailing list`;
            }}
          />
        </ListToolbar>
        <AdminList
          list={list}
          noun="subscriber"
          columns={columns}
          rowKey={subscriberKey}
          emptyText="Addresses from the footer's form appear here."
          isFiltered={filter.search !== '' || filter.status !== 'all'}
          onReset={filter.reset}
        />
      </div>
    </div>
  );
}

/** An address that breaks before its @, where it must break. */
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

function ActiveBadge({ isActive }: { isActive: boolean }) {
  return isActive ? (
    <Badge tone="action">
      <CircleCheckBig aria-hidden="true" />
      Active
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
    <Loaded query={stats} failure="The mailing list's figures could not be loaded" pending={<FigureTilesSkeleton />}>
      {(figures) => (
        <FigureTiles
          label="Mailing list figures"
          figures={[
            { label: 'Total Subscribers', value: formatNumber(figures.total_subscribers) },
            { label: 'Recent 7 days', value: formatNumber(figures.recent_subscribers) },
            { label: 'From Campaigns', value: formatNumber(figures.campaign_subscribers) },
            { label: 'Website Signups', value: formatNumber(figures.subscribers_by_source.website ?? 0) },
          ]}
        />
      )}
    </Loaded>
  );
}
