import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from '@/components/error-state';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { type Transaction, walletQueries } from '../queries';

type WalletHistoryProps = {
  walletId: string;
  /** What failed: 'Your history could not be loaded' */
  failure: string;
  /** Shown while the wallet has seen no transaction. */
  empty: ReactNode;
  /** How the transactions look. */
  children: (transactions: Transaction[]) => ReactNode;
};

/** Every transaction of a wallet, newest first and 50 at a time, in each state of its loading. */
export function WalletHistory({ walletId, failure, empty, children }: WalletHistoryProps) {
  const history = useInfiniteQuery(walletQueries.history(walletId));
  const rows = history.data?.pages.flat() ?? [];
  if (history.isPending) return <Skeleton className="h-80 rounded-card" />;
  if (history.isError && rows.length === 0) {
    return (
      <ErrorState
        title={failure}
        error={history.error}
        onRetry={() => void history.refetch()}
        isRetrying={history.isFetching}
      />
    );
  }
  if (rows.length === 0) return empty;
  return (
    <div className="grid gap-4">
      {children(rows)}
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
