import { useQuery } from '@tanstack/react-query';
import { Compass, Gift, Store, Users } from 'lucide-react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { OnboardingInvite } from '@/features/onboarding';
import { QuestCard, QuestCardSkeleton, questQueries, slotsOf } from '@/features/quests';
import { ReferralCard } from '@/features/referrals';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';

/** /community: where a member begins (DASH-01..04). */
export default function MemberDashboardPage() {
  const { status, userId, name } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated title="Not Signed In" text="Sign in to see your dashboard." />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Community Dashboard" />
      <PageHeader
        title="Community Dashboard"
        lead={name ? `Good to see you, ${name.split(' ')[0]}.` : 'Good to see you.'}
        actions={
          <Button asChild>
            <Link to={paths.referrals}>
              <Users aria-hidden="true" />
              Refer Friends
            </Link>
          </Button>
        }
      />
      <div className="grid gap-10">
        <OnboardingInvite />
        <DashboardTiles />
        <RecentQuests />
        <ReferralCard userId={userId} />
      </div>
    </div>
  );
}

const tiles = [
  { to: paths.browse(), title: 'Explore quests', text: 'Find something to try today.', icon: Compass },
  { to: paths.browse('projects'), title: 'Meet the projects', text: 'See who is behind the quests.', icon: Store },
  { to: paths.rewards, title: 'Rewards and wallet', text: 'Spend what you have earned.', icon: Gift },
  { to: paths.referrals, title: 'Your referrals', text: 'Bring friends, both of you earn.', icon: Users },
];

/** Where one can go from the dashboard (DASH-01). */
function DashboardTiles() {
  return (
    <ul aria-label="Where to go" className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      {tiles.map(({ to, title, text, icon: Icon }) => (
        <li key={to} className="grid">
          <Link
            to={to}
            className="grid content-start gap-2 rounded-card border bg-card p-4 shadow-card transition-colors hover:border-field sm:p-5"
          >
            <Icon aria-hidden="true" className="size-7 text-action" strokeWidth={1.6} />
            <span className="font-bold font-display text-lg leading-tight">{title}</span>
            <span className="text-muted text-sm">{text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Quests that are loaded, and how many of them are shown (DASH-03). */
const loaded = 6;
const shown = 3;

/** The newest quests on the board (DASH-03). */
function RecentQuests() {
  const quests = useQuery(questQueries.list({ limit: loaded }));
  const list = quests.data?.slice(0, shown) ?? [];
  const stats = useQuery(questQueries.stats(list.map(({ id }) => id)));
  const slots = (id: string) => (stats.isPending ? undefined : slotsOf(id, stats.data ?? 'failed'));
  return (
    <section aria-labelledby="recent-quests" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="recent-quests" className="text-2xl">
          Recent Quests
        </h2>
        <Button variant="link" asChild>
          <Link to={paths.browse()}>All quests</Link>
        </Button>
      </div>
      {quests.isError && !quests.data && (
        <ErrorState
          title="The quests could not be loaded"
          error={quests.error}
          onRetry={() => void quests.refetch()}
          isRetrying={quests.isFetching}
        />
      )}
      {quests.data?.length === 0 && (
        <EmptyState
          level={3}
          title="No quests on the board yet"
          text="They appear here as soon as a project publishes one."
        />
      )}
      {(quests.isPending || list.length > 0) && (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3" aria-busy={quests.isPending}>
          {quests.isPending
            ? ['first', 'second', 'third'].map((key) => <QuestCardSkeleton key={key} />)
            : list.map((quest) => <QuestCard key={quest.id} quest={quest} slots={slots(quest.id)} />)}
        </ul>
      )}
    </section>
  );
}
