import { useInfiniteQuery } from '@tanstack/react-query';
import { type DataColumn, DataTable } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { formatDateTime, formatPoints } from '@/lib/format';
import { signedPoints } from '../points-series';
import { type Transaction, walletQueries } from '../queries';

const columns: DataColumn<Transaction>[] = [
  { key: 'what', header: 'What', cell: ({ description }) => description },
  {
    key: 'when',
    header: 'When',
    cell: ({ created_at }) => <time dateTime={created_at}>{formatDateTime(created_at)}</time>,
  },
  {
    key: 'points',
    header: 'Points',
    isNumeric: true,
    cell: (transaction) => <Points value={signedPoints(transaction)} hasSign />,
  },
  {
    key: 'balance',
    header: 'Balance after',
    isNumeric: true,
    cell: ({ balance_after }) => (balance_after === null ? '–' : formatPoints(balance_after)),
  },
];

/** The history of a project's wallet with the running balance, 50 at a time (SWAL-01, DB-13). */
export function StartupTransactions({ walletId }: { walletId: string }) {
  const history = useInfiniteQuery(walletQueries.history(walletId));
  const rows = history.data?.pages.flat() ?? [];
  if (history.isPending) return <Skeleton className="h-64 rounded-card" />;
  if (history.isError && rows.length === 0) {
    return (
      <ErrorState
        title="The transactions could not be loaded"
        error={history.error}
        onRetry={() => void history.refetch()}
        isRetrying={history.isFetching}
      />
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        level={3}
        drawing="purse"
        title="No transactions yet"
        text="Your trial budget arrives when your project is verified. What quests reserve and release appears here too."
      />
    );
  }
  return (
    <div className="grid gap-4">
      <DataTable caption="Transactions" columns={columns} rows={rows} rowKey={({ id }) => String(id)} />
      {history.hasNextPage && (
        <Button
          variant="secondary"
          className="justify-self-center"
          isLoading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          Show older transactions
        </Button>
      )}
    </div>
  );
}
