import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { ErrorState } from '@/components/error-state';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { settingsQueries } from '@/features/settings';
import { getEnv } from '@/lib/env';
import { errorMessage } from '@/lib/errors';
import { useCreateReferralCode } from '../mutations';
import { referralQueries } from '../queries';
import { referralLink } from '../referral-link';
import { ReferralStats } from './referral-stats';
import { ReferralSteps } from './referral-steps';
import { ShareFields } from './share-fields';

function MissingCode() {
  const { mutate: createCode, isPending } = useCreateReferralCode();
  return (
    <div className="grid content-start justify-items-start gap-3">
      <p>You have no referral code yet.</p>
      <Button
        isLoading={isPending}
        onClick={() => createCode(undefined, { onError: (e) => toast.error(errorMessage(e)) })}
      >
        Get my code
      </Button>
    </div>
  );
}

type ReferralCardProps = { userId: string; hasRefresh?: boolean };

/** A member's code, link and what they have brought; the same on the dashboard and on the referral page (REF-01..03). */
export function ReferralCard({ userId, hasRefresh = false }: ReferralCardProps) {
  const stats = useQuery(referralQueries.stats(userId));
  const { data: settings } = useQuery(settingsQueries.app());
  const bonus = { referrer: settings?.referrer_points ?? 500, referred: settings?.referred_points ?? 250 };
  const siteUrl = getEnv().VITE_SITE_URL ?? window.location.origin;

  return (
    <Card as="section" aria-labelledby="refer-title" className="grid gap-6" id="refer">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="refer-title" className="text-2xl">
          Refer friends
        </h2>
        {hasRefresh && (
          <Button variant="secondary" isLoading={stats.isFetching} onClick={() => void stats.refetch()}>
            <RefreshCw aria-hidden="true" />
            Refresh Stats
          </Button>
        )}
      </div>
      {stats.isError && (
        <ErrorState
          title="Your referrals could not be loaded"
          error={stats.error}
          onRetry={() => void stats.refetch()}
          isRetrying={stats.isFetching}
        />
      )}
      {(stats.isPending || stats.data) && <ReferralStats stats={stats.data} />}
      <div className="grid gap-8 md:grid-cols-2">
        <ReferralSteps bonus={bonus} />
        {stats.isPending && <Skeleton className="h-58" />}
        {stats.data?.code && <ShareFields code={stats.data.code} link={referralLink(stats.data.code, siteUrl)} />}
        {stats.data && !stats.data.code && <MissingCode />}
      </div>
    </Card>
  );
}
