import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { TransactionList, walletQueries } from '@/features/wallet';

/** Every transaction of the member's wallet, 50 at a time. */
export function HistoryView({ walletId }: { walletId: string }) {
  const history = useInfiniteQuery(walletQueries.history(walletId));
  const rows = history.data?.pages.flat() ?? [];
  if (history.isPending) return <Skeleton className="h-96 rounded-card" />;
  if (history.isError && rows.length === 0) {
    return (
      <ErrorState
        title="Your history could not be loaded"
        error={history.error}
        onRetry={() => void history.refetch()}
        isRetrying={history.isFetching}
      />
    );
  }
  if (rows.length === 0) return <EmptyState drawing="purse" title="No transactions yet" />;
  return (
    <div className="grid max-w-form gap-4">
      <Card className="py-1 sm:py-2">
        <TransactionList label="All transactions" transactions={rows} />
      </Card>
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
