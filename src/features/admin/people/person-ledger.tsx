import { useInfiniteQuery } from '@tanstack/react-query';
import { ErrorState } from '@/components/error-state';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { TransactionList } from '@/features/wallet';
import { peopleQueries } from './queries';

/** How a wallet's points moved, newest first. */
export function PersonLedger({ walletId }: { walletId: string }) {
  const ledger = useInfiniteQuery(peopleQueries.ledger(walletId));
  if (ledger.isPending) return <Skeleton className="h-24" />;
  if (ledger.isError) {
    return (
      <ErrorState
        title="The ledger could not be loaded"
        error={ledger.error}
        onRetry={() => ledger.refetch()}
        isRetrying={ledger.isFetching}
      />
    );
  }
  const transactions = ledger.data.pages.flat();
  if (transactions.length === 0) return <p className="text-muted">Nothing has moved yet.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section aria-label="Ledger" tabIndex={0} className="grid max-h-72 overflow-y-auto rounded-control border px-3">
      <TransactionList label="Ledger" transactions={transactions} />
      {ledger.hasNextPage && (
        <Button
          variant="link"
          className="justify-self-center"
          isLoading={ledger.isFetchingNextPage}
          onClick={() => ledger.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </section>
  );
}
