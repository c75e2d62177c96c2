import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '@/components/error-state';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { payoutsByDay, periodStart } from '../points-series';
import { payoutLimit, walletQueries } from '../queries';
import { PayoutChart } from './payout-chart';

const days = 30;

/** Points that went out to members over the last 30 days, as a picture. */
export function PayoutsSection({ ownerId }: { ownerId: string }) {
  const payouts = useQuery(walletQueries.payouts(ownerId, periodStart(days)));
  return (
    <section aria-labelledby="points-out" className="grid gap-4">
      <h2 id="points-out" className="text-2xl">
        Points out
      </h2>
      {payouts.isPending && <Skeleton className="h-56 rounded-card" />}
      {payouts.isError && !payouts.data && (
        <ErrorState
          title="The payouts could not be loaded"
          error={payouts.error}
          onRetry={() => void payouts.refetch()}
          isRetrying={payouts.isFetching}
        />
      )}
      {payouts.data && (
        <Card>
          <PayoutChart days={payoutsByDay(payouts.data, days)} />
          {payouts.data.length === payoutLimit && (
            <p className="mt-2 text-muted text-sm">Only the latest 1,000 payouts are drawn.</p>
          )}
        </Card>
      )}
    </section>
  );
}
