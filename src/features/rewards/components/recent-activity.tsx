import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { TransactionList, walletQueries } from '@/features/wallet';
import { paths } from '@/lib/paths';

/** Transactions shown before the full history (REWARD-03). */
const shown = 5;

/** The latest 5 transactions, and the way to all of them (REWARD-03). */
export function RecentActivity({ walletId }: { walletId: string }) {
  // The same read as the balance picture's; five of them are listed here.
  const transactions = useQuery(walletQueries.transactions(walletId));
  const latest = transactions.data?.slice(0, shown);
  return (
    <section aria-labelledby="recent-activity" className="grid content-start gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="recent-activity" className="flex min-h-11 items-center text-2xl">
          Recent Activity
        </h2>
        {latest && latest.length > 0 && (
          <Button variant="link" asChild>
            <Link to="?view=history">Full history</Link>
          </Button>
        )}
      </div>
      {transactions.isPending && <Skeleton className="h-80 rounded-card" />}
      {transactions.isError && !latest && (
        <ErrorState
          title="Your activity could not be loaded"
          error={transactions.error}
          onRetry={() => void transactions.refetch()}
          isRetrying={transactions.isFetching}
        />
      )}
      {latest?.length === 0 && (
        <EmptyState
          level={3}
          drawing="purse"
          title="No transactions yet"
          text="Complete a quest and your first points land here."
          action={
            <Button asChild>
              <Link to={paths.browse()}>Browse Quests</Link>
            </Button>
          }
        />
      )}
      {latest && latest.length > 0 && (
        <Card className="py-1 sm:py-2">
          <TransactionList label="Latest transactions" transactions={latest} />
        </Card>
      )}
    </section>
  );
}
