import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { Link } from 'react-router-dom';
import { EmptyState, NotAuthenticated } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatusBadge } from '@/components/status-badge';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { useSession } from '@/lib/auth';
import { formatDate, formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import { ReferralCard } from '../components/referral-card';
import { type Referral, referralQueries } from '../queries';

/** /community/referrals: the member's code, figures and latest referrals (REF-06, C-32). */
export default function ReferralsPage() {
  const { userId, status } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated title="Sign In Required" text="Sign in to see your referrals." />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Referrals" description="Invite friends to Questboard." />
      <PageHeader
        title="Referrals"
        lead="Bring people who like to try new things."
        back={{ to: paths.community, label: 'Back to community' }}
        // Signing up by "Join Community" leads here (HOME-03), and what is earned here counts after a first task.
        actions={
          <Button variant="secondary" asChild>
            <Link to={paths.browse()}>See the open quests</Link>
          </Button>
        }
      />
      <div className="grid gap-10">
        <ReferralCard userId={userId} hasRefresh />
        <ReferralHistory userId={userId} />
      </div>
    </div>
  );
}

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
      {isCompleted && <Points value={referral.points} hasSign />}
      {referral.held_points > 0 && <Badge tone="warning">{formatPoints(referral.held_points)} held</Badge>}
      <StatusBadge status={isCompleted ? 'Completed' : 'Pending'} />
    </li>
  );
}

/** The latest 10 referrals: completed ones with their points, others pending (REF-07). */
function ReferralHistory({ userId }: { userId: string }) {
  const latest = useQuery(referralQueries.latest(userId));
  return (
    <section aria-labelledby="referral-history" className="grid gap-4">
      <h2 id="referral-history" className="text-2xl">
        Latest referrals
      </h2>
      <QueryView
        query={latest}
        failure="Your latest referrals could not be loaded"
        pending={<Skeleton shape="card" className="h-40" />}
        showsRefreshError
      >
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              level={3}
              title="Nobody has joined with your link yet"
              text="Share your link: everyone who signs up with it appears here."
            />
          ) : (
            <Card className="py-1 sm:py-2">
              <ul>
                {rows.map((referral) => (
                  <HistoryLine key={referral.id} referral={referral} />
                ))}
              </ul>
            </Card>
          )
        }
      </QueryView>
    </section>
  );
}
