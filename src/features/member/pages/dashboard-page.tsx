import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowRight, Compass, Gift, ListChecks, Store, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState, NotAuthenticated } from '@/components/empty-state';
import { PageHeader, useCameFrom } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { useHaveSettled } from '@/components/query-group';
import { QueryView } from '@/components/query-view';
import { StatCards, StatCardsSkeleton } from '@/components/stat-cards';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { useShownName } from '@/features/account';
import { notificationQueries, UnreadNews } from '@/features/notifications';
import { OnboardingInvite } from '@/features/onboarding';
import {
  type MyQuest,
  QuestCard,
  QuestCardSkeleton,
  questQueries,
  suggestionText,
  useOwnQuestStates,
  useSuggestedQuests,
} from '@/features/quests';
import { ReferralCard } from '@/features/referrals';
import { distanceTo, levelProgress, rewardQueries, StreakCard } from '@/features/rewards';
import { reviewText } from '@/features/submissions';
import { availablePoints, type Wallet, walletQueries } from '@/features/wallet';
import { useSession } from '@/lib/auth';
import { formatAge, formatCount, formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import { mostUrgent, questStatus, rejectedProof, rewardInReach, stepLabel } from '../my-quest';

/** /community: the member's dashboard (DASH-01..04). */
export default function MemberDashboardPage() {
  const { status, userId } = useSession();
  const name = useShownName();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated title="Not Signed In" text="Sign in to see your dashboard." />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Community Dashboard" />
      <PageHeader
        title="Community Dashboard"
        lead={name ? `Good to see you, ${name.split(' ')[0]}.` : 'Good to see you.'}
        actions={
          <Button variant="secondary" asChild>
            <Link to={paths.referrals}>
              <Users aria-hidden="true" />
              Refer Friends
            </Link>
          </Button>
        }
      />
      <Dashboard userId={userId} />
    </div>
  );
}

/** All parts render together to avoid layout shifts. A failed part shows that in its place. */
function Dashboard({ userId }: { userId: string }) {
  const parts = [
    useInfiniteQuery(questQueries.mine(userId, unfinished)),
    useSuggestedQuests(),
    useQuery(questQueries.ownStates(userId)),
    useQuery(walletQueries.own(userId)),
    useQuery(rewardQueries.list()),
    useQuery(questQueries.list({ limit: loaded })),
    useQuery(notificationQueries.latest(userId)),
    useQuery(notificationQueries.unreadCount(userId)),
  ];
  if (!useHaveSettled(parts)) return <DashboardSkeleton />;
  return (
    <div className="grid gap-10">
      <div className="grid gap-4">
        <NextStep userId={userId} />
        <FirstSteps userId={userId} />
        <Destinations />
      </div>
      <UnreadNews userId={userId} />
      <div className="grid gap-4">
        <Standing userId={userId} />
        <StreakCard userId={userId} />
      </div>
      <OpenProofs userId={userId} />
      <RecentQuests />
      <ReferralCard userId={userId} />
    </div>
  );
}

function DashboardSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-10">
      <Skeleton shape="card" className="h-52" />
      <StatCardsSkeleton count={3} />
      <Skeleton shape="card" className="h-96" />
    </div>
  );
}

/** Number of quests to load, and to show (DASH-03). */
const loaded = 6;
const shown = 3;

/** States of quests in which something can still change. */
const unfinished = ['rejected', 'started', 'waiting'] as const;

/** The member's next action: a proof to resubmit, a quest to continue, or one to start (C-72). */
function NextStep({ userId }: { userId: string }) {
  const begun = useInfiniteQuery(questQueries.mine(userId, unfinished));
  const suggested = useSuggestedQuests();
  return (
    <QueryView
      query={[begun, suggested]}
      failure="Your next step could not be loaded"
      pending={<Skeleton shape="card" className="h-40" />}
    >
      {([{ pages }, suggestions]) => {
        const urgent = mostUrgent(pages.flat());
        const [next] = suggestions;
        if (urgent) return <ContinueCard quest={urgent} />;
        if (!next) {
          return (
            <StepCard
              title="No new quest is open to you right now"
              text="New ones are pinned to the board as projects publish them."
            />
          );
        }
        return (
          <StepCard
            title={next.title}
            text={next.summary || `A quest by ${next.startup_name}.`}
            note={suggestionText(next)}
            aside={next.reward_points > 0 && <Points value={next.reward_points} className="text-xl" />}
            action={{ to: paths.communityQuest(next.id), label: 'Join Quest' }}
          />
        );
      }}
    </QueryView>
  );
}

function ContinueCard({ quest }: { quest: MyQuest }) {
  const rejected = rejectedProof(quest);
  return (
    <StepCard
      title={quest.title}
      text={
        rejected
          ? `Your proof was not accepted. ${reviewText(rejected) ?? ''}`
          : `${quest.approved_count} of ${formatCount(quest.task_count, 'task')} done.`
      }
      aside={<StatusBadge status={rejected ? 'Try Again' : 'Started'} />}
      action={{ to: paths.communityQuest(quest.campaign_id), label: stepLabel(quest) }}
    />
  );
}

type StepCardProps = {
  title: string;
  text: string;
  /** Why it is suggested. */
  note?: string | null;
  aside?: ReactNode;
  action?: { to: string; label: string };
};

function StepCard({ title, text, note, aside, action }: StepCardProps) {
  const from = useCameFrom();
  return (
    <Card as="section" aria-labelledby="next-step" tone="action" className="grid gap-3">
      <p id="next-step" className="font-medium text-action">
        Your next step
      </p>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h2 className="min-w-0 text-2xl [overflow-wrap:anywhere]">{title}</h2>
        {aside}
      </div>
      <p className="dir-auto max-w-prose [overflow-wrap:anywhere]">{text}</p>
      {note && <p className="text-muted text-sm">{`${note}.`}</p>}
      {action && (
        <Button asChild className="justify-self-start max-sm:w-full">
          <Link to={action.to} state={from}>
            {action.label}
            <ArrowRight aria-hidden="true" />
          </Link>
        </Button>
      )}
    </Card>
  );
}

/** Introduction for members without a submission. */
function FirstSteps({ userId }: { userId: string }) {
  const { data: states } = useQuery(questQueries.ownStates(userId));
  return states && Object.keys(states).length === 0 && <OnboardingInvite />;
}

const destinations = [
  { to: paths.browse(), title: 'Explore quests', icon: Compass },
  { to: paths.browse('projects'), title: 'Meet the projects', icon: Store },
  { to: paths.rewards, title: 'Rewards and wallet', icon: Gift },
  { to: paths.referrals, title: 'Your referrals', icon: Users },
];

/** Links from the dashboard, in a slim row (DASH-01, C-115). */
function Destinations() {
  return (
    <ul aria-label="Where to go" className="grid grid-cols-2 gap-2 lg:grid-cols-4">
      {destinations.map(({ to, title, icon: Icon }) => (
        <li key={to} className="grid">
          <Link
            to={to}
            className="flex min-h-11 items-center gap-2 rounded-control border bg-card px-3 py-2 font-medium leading-tight hover:border-field"
          >
            <Icon aria-hidden="true" className="size-5 shrink-0 text-action" strokeWidth={1.6} />
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Points, level, and the reward to aim for. */
function Standing({ userId }: { userId: string }) {
  const wallet = useQuery(walletQueries.own(userId));
  return (
    <QueryView query={wallet} failure="Your points could not be loaded" pending={<StatCardsSkeleton count={3} />}>
      {(own) => own && <Figures wallet={own} />}
    </QueryView>
  );
}

function Figures({ wallet }: { wallet: Wallet }) {
  const { data: rewards } = useQuery(rewardQueries.list());
  const { level, missing } = levelProgress(wallet.lifetime_points);
  const available = availablePoints(wallet);
  const goal = rewards && rewardInReach(rewards, available);
  return (
    <StatCards
      label="Where you stand"
      stats={[
        {
          label: 'Points',
          value: <Points value={wallet.points} />,
          note: wallet.held_points > 0 ? `${formatPoints(available)} can be redeemed now` : undefined,
        },
        { label: 'Level', value: level, note: `${formatCount(missing, 'point')} to level ${level + 1}` },
        ...(goal
          ? [
              {
                label: goal.isAffordable ? 'In reach' : 'Next reward',
                value: (
                  <Link to={paths.rewards} className="text-xl underline decoration-1 underline-offset-4">
                    {goal.reward.title}
                  </Link>
                ),
                note: goal.isAffordable
                  ? 'You can redeem it now'
                  : distanceTo(goal.reward, available, wallet.held_points),
              },
            ]
          : []),
      ]}
    />
  );
}

/** Number of started quests on the dashboard. */
const listed = 5;

/** Pending and rejected proofs, and unfinished quests; nothing without any. */
function OpenProofs({ userId }: { userId: string }) {
  const { data } = useInfiniteQuery(questQueries.mine(userId, unfinished));
  const from = useCameFrom();
  const quests = data?.pages.flat() ?? [];
  if (quests.length === 0) return null;
  return (
    <section aria-labelledby="open-proofs" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="open-proofs" className="text-2xl">
          In progress
        </h2>
        <Button variant="link" asChild>
          <Link to={paths.myQuests}>
            <ListChecks aria-hidden="true" />
            My quests
          </Link>
        </Button>
      </div>
      <ul className="grid divide-y rounded-card border bg-card">
        {quests.slice(0, listed).map((quest) => (
          <li key={quest.campaign_id}>
            <Link
              to={paths.communityQuest(quest.campaign_id)}
              state={from}
              className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2 hover:bg-sunken"
            >
              <span className="min-w-0 grow basis-48 font-medium">{quest.title}</span>
              <span className="text-muted text-sm">{formatAge(quest.last_activity_at)}</span>
              <StatusBadge status={questStatus(quest)} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The newest quests on the board (DASH-03). */
function RecentQuests() {
  const quests = useQuery(questQueries.list({ limit: loaded }));
  const states = useOwnQuestStates();
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
      <QueryView
        query={quests}
        failure="The quests could not be loaded"
        pending={
          <ul className="card-grid" aria-busy="true">
            {['first', 'second', 'third'].map((key) => (
              <QuestCardSkeleton key={key} />
            ))}
          </ul>
        }
      >
        {(list) =>
          list.length === 0 ? (
            <EmptyState
              level={3}
              title="No quests on the board yet"
              text="They appear here as soon as a project publishes one."
            />
          ) : (
            <ul className="card-grid">
              {list.slice(0, shown).map((quest) => (
                <QuestCard key={quest.id} quest={quest} state={states[quest.id]} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  );
}
