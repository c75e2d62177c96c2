import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { PointsBalance } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { ScrollToSection } from '@/components/scroll-to-section';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { accountQueries, OgBadge } from '@/features/account';
import { settingsQueries } from '@/features/settings';
import {
  availablePoints,
  BalanceChart,
  HeldPoints,
  TransactionList,
  type Wallet,
  walletQueries,
} from '@/features/wallet';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { isAuthConfigured } from '@/lib/env';
import { toAppError } from '@/lib/errors';
import { formatCount, formatPoints } from '@/lib/format';
import { heads } from '@/lib/head/page-head';
import { paths } from '@/lib/paths';
import { poll } from '@/lib/query-client';
import { useUrlChoice } from '@/lib/url-state';
import { Leaderboard } from '../components/leaderboard';
import { OwnHistory } from '../components/own-history';
import { PublicProfileCard } from '../components/public-profile-card';
import { RedemptionList } from '../components/redemption-list';
import { RewardList } from '../components/reward-list';
import { OwnBadges, StreakCard } from '../components/streak';
import { levelOf, levelProgress } from '../level';
import { rewardQueries } from '../queries';

/** /rewards: points and rewards of a member, a teaser for visitors (REWARD-01). */
export default function RewardsPage() {
  const { status, userId } = useSession();
  if (status === 'loading') {
    return (
      <div className="page-column grid gap-8 py-8" aria-busy="true">
        <Skeleton className="h-10 w-64" />
        <Skeleton shape="card" className="h-44" />
        <Skeleton shape="card" className="h-96" />
      </div>
    );
  }
  return userId ? <MyRewards userId={userId} /> : <RewardsTeaser />;
}

type OverviewProps = { userId: string; wallet: Wallet | null | undefined; features: RewardFeatures };

function Overview({ userId, wallet, features }: OverviewProps) {
  return (
    <div className="grid gap-10">
      {wallet && (
        <div className="grid gap-4 md:grid-cols-2">
          <LevelCard wallet={wallet} />
          <PointsCard wallet={wallet} userId={userId} />
        </div>
      )}
      <StreakCard userId={userId} />
      {features.isRewardListOn && (
        <section aria-labelledby="redeem" className="grid gap-4">
          <h2 id="redeem" className="text-2xl">
            Redeem your points
          </h2>
          <RewardList balance={wallet ? availablePoints(wallet) : null} held={wallet?.held_points} />
        </section>
      )}
      {wallet && <HeldPoints walletId={wallet.id} points={wallet.held_points} />}
      <RedemptionList userId={userId} />
      <div className="grid gap-10 lg:grid-cols-2">
        {wallet && <RecentActivity walletId={wallet.id} />}
        {features.isLeaderboardOn && <Leaderboard />}
      </div>
      <OwnBadges userId={userId} />
      <PublicProfileCard userId={userId} />
    </div>
  );
}

/** /rewards for members: points, level, rewards, what happened and who leads (REWARD-01..10). */
function MyRewards({ userId }: { userId: string }) {
  const wallet = useQuery(walletQueries.own(userId));
  // Requested here, in parallel with the wallet instead of after it.
  const features = useRewardFeatures();
  const [view] = useUrlChoice('view', ['overview', 'history']);
  const isHistory = view === 'history';
  // The overview also waits for the feature checks, because a section that appears later would push the others down. The history has a
  // loading state of its own.
  const isWaiting = !isHistory && (wallet.isPending || features.isPending);
  return (
    <div className="page-column pb-16">
      <PageMeta title={isHistory ? 'Your history' : 'My Rewards'} />
      <PageHeader
        title={isHistory ? 'Your history' : 'My Rewards'}
        lead={isHistory ? 'Every point earned or spent.' : 'Your points, and what you can get for them.'}
        back={isHistory ? { to: paths.rewards, label: 'Back to My Rewards' } : undefined}
      />
      <QueryView
        query={wallet}
        failure="Error Loading Data"
        failureText={`Failed to load wallet data: ${toAppError(wallet.error).message || 'Unknown error'}`}
        failureClassName="mb-8"
        pending={null}
        showsRefreshError
      >
        {() => null}
      </QueryView>
      {isWaiting && (
        <div className="mb-10 grid gap-4 md:grid-cols-2" aria-busy="true">
          <Skeleton shape="card" className="h-44" />
          <Skeleton shape="card" className="h-44" />
        </div>
      )}
      {isHistory ? (
        <OwnHistory userId={userId} />
      ) : (
        !isWaiting && <Overview userId={userId} wallet={wallet.data} features={features} />
      )}
      <ScrollToSection />
    </div>
  );
}

/** Points in hand, and how they came and went as a picture (REWARD-02). */
function PointsCard({ wallet, userId }: { wallet: Wallet; userId: string }) {
  const hasRedeemed = (useQuery(rewardQueries.redemptions(userId)).data ?? []).length > 0;
  const transactions = useQuery(walletQueries.latestTransactions(wallet.id));
  return (
    <Card as="section" aria-labelledby="available-points" className="grid content-between gap-4">
      <div>
        <div className="flex items-center justify-between gap-4">
          <h2 id="available-points" className="font-medium font-sans text-base text-muted tracking-normal">
            Available points
          </h2>
          {/* On phones the redemptions are far below. As high as the heading, so that its appearance causes no layout shift. */}
          {hasRedeemed && (
            <Button variant="link" className="-my-2.5" asChild>
              <a href="#redemptions">Your redemptions</a>
            </Button>
          )}
        </div>
        <PointsBalance value={availablePoints(wallet)} className="font-display text-4xl" />
        {wallet.held_points > 0 && (
          <p className="text-muted text-sm">
            {formatCount(wallet.points, 'point')} in all,{' '}
            <a href="#held-points" className="underline">
              {formatPoints(wallet.held_points)} of them held
            </a>
          </p>
        )}
      </div>
      {transactions.isPending && <Skeleton className="h-22" />}
      {transactions.data?.length === 0 && (
        <p className="flex h-22 items-end text-muted text-sm">Your balance history starts with your first points.</p>
      )}
      {transactions.data && <BalanceChart transactions={transactions.data} />}
    </Card>
  );
}

/** The member's name and level: the badge counts the points in hand, the player level everything ever earned (REWARD-02). */
function LevelCard({ wallet }: { wallet: Wallet }) {
  const session = useSession();
  const { data: profile } = useQuery({
    ...accountQueries.profile(session.userId ?? ''),
    enabled: session.userId !== null,
  });
  const name = profile?.display_name || profile?.username || session.name || 'You';
  const { level, missing, share } = levelProgress(wallet.lifetime_points);
  const next = `${formatCount(missing, 'point')} to level ${level + 1}`;

  return (
    <Card as="section" aria-label="Profile and level" className="flex items-center gap-4 sm:gap-5">
      <ProgressRing share={share} label="Progress to the next level" valueText={next}>
        {/* Four large digits would overlap the ring. */}
        <span
          className={cn(
            'block font-bold font-display tabular-nums',
            level < 1000 ? 'text-2xl' : 'text-lg',
            'leading-none',
          )}
        >
          {level}
        </span>
        {/* Two lines, because one is wider than the hole of the ring. */}
        <span className="mt-0.5 block text-[0.7rem] text-muted leading-tight">
          Player <br />
          Level
        </span>
      </ProgressRing>
      <div className="grid min-w-0 grow gap-2">
        <div className="flex items-center gap-3">
          <Avatar name={name} src={session.imageUrl} />
          <div className="min-w-0">
            <h2 className="truncate text-xl">{name}</h2>
            {profile && <p className="truncate text-muted text-sm">@{profile.username}</p>}
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          <Badge tone="action">Level {levelOf(wallet.points)}</Badge>
          <OgBadge />
        </div>
        <p className="text-muted text-sm">
          {next}, from {formatCount(wallet.lifetime_points, 'lifetime point')}.
        </p>
      </div>
    </Card>
  );
}

const radius = 42;
const circumference = 2 * Math.PI * radius;

type ProgressRingProps = { share: number; label: string; valueText: string; children: ReactNode };

/** A share from 0 to 1 as a ring around its children. */
function ProgressRing({ share, label, valueText, children }: ProgressRingProps) {
  const percent = Math.round(Math.min(Math.max(share, 0), 1) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={valueText}
      className="relative grid size-24 shrink-0 sm:size-28 place-items-center"
    >
      <svg aria-hidden="true" viewBox="0 0 100 100" className="absolute inset-0 -rotate-90">
        <circle cx="50" cy="50" r={radius} fill="none" strokeWidth="9" className="stroke-sunken" />
        <circle
          cx="50"
          cy="50"
          r={radius}
          fill="none"
          strokeWidth="9"
          strokeLinecap="round"
          strokeDasharray={circumference}
          strokeDashoffset={circumference * (1 - percent / 100)}
          className="stroke-points transition-[stroke-dashoffset] duration-500"
          visibility={percent === 0 ? 'hidden' : undefined}
        />
      </svg>
      <div className="text-center">{children}</div>
    </div>
  );
}

/** Transactions shown before the full history (REWARD-03). */
const shown = 5;

/** The latest 5 transactions, and a link to all of them (REWARD-03). */
function RecentActivity({ walletId }: { walletId: string }) {
  // The query of the balance chart; only its first five rows are listed here.
  const transactions = useQuery(walletQueries.latestTransactions(walletId));
  return (
    <section aria-labelledby="recent-activity" className="grid content-start gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="recent-activity" className="flex min-h-11 items-center text-2xl">
          Recent Activity
        </h2>
        {transactions.data && transactions.data.length > 0 && (
          <Button variant="link" asChild>
            <Link to={paths.walletHistory}>Full history</Link>
          </Button>
        )}
      </div>
      <QueryView
        query={transactions}
        failure="Your activity could not be loaded"
        pending={<Skeleton shape="card" className="h-80" />}
      >
        {(rows) =>
          rows.length === 0 ? (
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
          ) : (
            <Card className="py-1 sm:py-2">
              <TransactionList label="Latest transactions" transactions={rows.slice(0, shown)} />
            </Card>
          )
        }
      </QueryView>
    </section>
  );
}

/** Rewards that a visitor sees. */
const teaserLength = 6;

/** /rewards for visitors: what points are good for, and how to get some (REWARD-01, C-45). */
function RewardsTeaser() {
  const { isRewardListOn } = useRewardFeatures();
  const { hash } = useLocation();
  return (
    <div className="page-column pb-16">
      <PageMeta {...heads.rewards} />
      <PageHeader
        title="Available Rewards"
        lead="Complete quests, earn points, and trade them for something real."
        actions={
          <>
            <Button asChild>
              <Link to={paths.signUp()}>Join Community</Link>
            </Button>
            <Button variant="secondary" asChild>
              <Link to={paths.browse()}>Browse Quests</Link>
            </Button>
          </>
        }
      />
      {/* Mails about a redemption lead here, and whoever reads them may be signed out. */}
      {isAuthConfigured() && (
        <p className="-mt-2 mb-6 text-muted">
          Already a member?{' '}
          <Link to={paths.signIn({ redirect: `${paths.rewards}${hash}` })} className="font-medium text-ink underline">
            See your points and redemptions
          </Link>
        </p>
      )}
      {isRewardListOn && (
        <section aria-labelledby="on-the-board" className="grid gap-4">
          <h2 id="on-the-board" className="text-2xl">
            On the board now
          </h2>
          <RewardList balance={null} limit={teaserLength} />
        </section>
      )}
    </div>
  );
}

type RewardFeatures = { isPending: boolean; isRewardListOn: boolean; isLeaderboardOn: boolean };

/**
 * The feature checks of this page: nothing is loaded before they have passed (REWARD-05). When the settings cannot be
 * read the features count as on, which is their default (C-45).
 */
function useRewardFeatures(): RewardFeatures {
  // An open page has to notice that an admin switches them off.
  const settings = useQuery({ ...settingsQueries.app(), ...poll(60) });
  return {
    isPending: settings.isPending,
    isRewardListOn: settings.data?.rewards_enabled ?? settings.isError,
    isLeaderboardOn: settings.data?.leaderboard_enabled ?? settings.isError,
  };
}
