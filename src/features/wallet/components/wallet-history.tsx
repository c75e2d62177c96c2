import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QueryView } from '@/components/query-view';
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
  return (
    <QueryView query={history} failure={failure} pending={<Skeleton className="h-80 rounded-card" />}>
      {({ pages }) => {
        const rows = pages.flat();
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
      }}
    </QueryView>
  );
}
