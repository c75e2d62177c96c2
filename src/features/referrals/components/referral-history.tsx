import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Points } from '@/components/points';
import { StatusStamp } from '@/components/status-stamp';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { formatDate } from '@/lib/format';
import { type Referral, referralQueries } from '../queries';

function HistoryLine({ referral }: { referral: Referral }) {
  const isCompleted = referral.status === 'completed';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b py-3 last:border-b-0">
      <span
        aria-hidden="true"
        className="grid size-10 place-items-center rounded-full bg-sunken text-muted [&_svg]:size-5"
      >
        <UserRound />
      </span>
      <div className="grow">
        <p className="font-semibold">A friend joined</p>
        <p className="text-muted text-sm">
          <time dateTime={referral.created_at}>{formatDate(referral.created_at)}</time>
        </p>
      </div>
      {isCompleted && <Points value={referral.referrer_reward_points} hasSign />}
      <StatusStamp status={isCompleted ? 'Completed' : 'Pending'} />
    </li>
  );
}

/** The latest 10 referrals: completed ones with their points, others pending (REF-07). */
export function ReferralHistory({ userId }: { userId: string }) {
  const latest = useQuery(referralQueries.latest(userId));
  return (
    <section aria-labelledby="referral-history" className="grid gap-4">
      <h2 id="referral-history" className="text-2xl">
        Latest referrals
      </h2>
      {latest.isPending && <Skeleton className="h-40 rounded-card" />}
      {latest.isError && (
        <ErrorState
          title="Your latest referrals could not be loaded"
          error={latest.error}
          onRetry={() => void latest.refetch()}
          isRetrying={latest.isFetching}
        />
      )}
      {latest.data?.length === 0 && (
        <EmptyState
          level={3}
          title="Nobody has joined through you yet"
          text="Share your link; who signs up with it appears here."
        />
      )}
      {latest.data && latest.data.length > 0 && (
        <Card className="py-1 sm:py-2">
          <ul>
            {latest.data.map((referral) => (
              <HistoryLine key={referral.id} referral={referral} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}
