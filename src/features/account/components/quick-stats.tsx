import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from '@/components/error-state';
import { Points } from '@/components/points';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { referralQueries } from '@/features/referrals';
import { levelOf } from '@/features/rewards';
import { walletQueries } from '@/features/wallet';
import { formatNumber } from '@/lib/format';

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4 border-b py-2.5 last:border-b-0">
      <dt className="text-muted">{label}</dt>
      <dd className="font-semibold tabular-nums">{children}</dd>
    </div>
  );
}

/** Points, level and referrals at a glance (PROF-01). */
export function QuickStats({ userId }: { userId: string }) {
  const wallet = useQuery(walletQueries.own(userId));
  const referrals = useQuery(referralQueries.stats(userId));
  const points = wallet.data?.points ?? 0;
  const lifetime = wallet.data?.lifetime_points ?? 0;
  return (
    <Card as="section" aria-labelledby="quick-stats">
      <h2 id="quick-stats" className="mb-2 text-xl">
        Quick stats
      </h2>
      {wallet.isPending && <Skeleton className="h-44" />}
      {wallet.isError && !wallet.data && (
        <ErrorState
          title="Your stats could not be loaded"
          error={wallet.error}
          onRetry={() => void wallet.refetch()}
          isRetrying={wallet.isFetching}
        />
      )}
      {wallet.isSuccess && (
        <dl>
          <Line label="Points">
            <Points value={points} />
          </Line>
          <Line label="Lifetime points">
            <Points value={lifetime} />
          </Line>
          <Line label="Player Level">{levelOf(lifetime)}</Line>
          <Line label="Friends who joined">
            {referrals.data ? formatNumber(referrals.data.successfulReferrals) : '–'}
          </Line>
        </dl>
      )}
    </Card>
  );
}
