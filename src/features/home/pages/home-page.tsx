import { useQuery } from '@tanstack/react-query';
import { ArrowRight, BadgeCheck, ChartColumn, Link2, type LucideIcon, Trophy, WalletMinimal, Zap } from 'lucide-react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { PageMeta } from '@/components/page-meta';
import { CoinMark, Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { ScrollToSection } from '@/components/scroll-to-section';
import { type Status, StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { QuestCard, QuestCardSkeleton, type QuestListItem, useOwnQuestStates } from '@/features/quests';
import { ReferralGreeting } from '@/features/referrals';
import { settingsQueries, useIsBeta } from '@/features/settings';
import { analytics } from '@/lib/analytics';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { formatNumber, formatPoints } from '@/lib/format';
import { heads } from '@/lib/head/page-head';
import { paths } from '@/lib/paths';
import { asFounder, isStartupRole } from '@/lib/role';
import { Pricing, Section, swipedOnPhones } from '../components/sections';
import { homeQueries, siteFigures } from '../queries';

/** The home page (HOME-01..10). */
export default function HomePage() {
  return (
    <>
      <PageMeta {...heads.home} />
      <ReferralGreeting />
      <Hero />
      <LiveQuests />
      <HowItWorks />
      <Features />
      <Pricing />
      <ReferralSection />
      <ScrollToSection />
    </>
  );
}

/**
 * Hero: what Questboard is, with live figures (HOME-01..03). Low enough that a quest is visible below it on a phone.
 */
function Hero() {
  return (
    <div className="board-grain border-b">
      <div className="page-column grid items-center gap-8 py-5 sm:py-9 lg:grid-cols-[1.1fr_1fr]">
        <div className="grid gap-4 sm:gap-6">
          <h1 className="text-[2rem] sm:text-5xl lg:text-6xl">Help new products grow. Earn points for it.</h1>
          <p className="max-w-prose text-muted sm:text-xl">
            Try something new, show your proof, collect points. <WhatPointsBuy />
          </p>
          <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
            <JoinCommunity place="hero" />
            <StartYourProject />
          </div>
          <SiteFigures />
        </div>
        <HeroBoard />
      </div>
    </div>
  );
}

/** What points are worth now, according to the settings, and after launch (HOME-05, C-111). */
function WhatPointsBuy() {
  const { data: settings } = useQuery(settingsQueries.app());
  return settings?.rewards_enabled === false
    ? 'After launch they become rewards or cash.'
    : 'Redeem them for rewards today; after launch also for cash.';
}

type Note = { title: string; points: number; status?: Status; left?: number; className: string };

const notes: Note[] = [
  { title: 'Try the sign-up and tell us where you stopped', points: 50, status: 'Completed', className: '-rotate-2' },
  { title: 'Write an honest review', points: 75, left: 4, className: 'rotate-1 translate-y-6' },
  { title: 'Watch the demo, name three questions', points: 40, left: 12, className: 'rotate-2' },
  { title: 'Share your screenshot', points: 30, status: 'Processing', className: '-rotate-1 translate-y-6' },
];

/** Decorative illustration of a board with quests. */
function HeroBoard() {
  return (
    <div
      aria-hidden="true"
      className="rounded-card border-8 border-sunken bg-action-soft px-6 pt-8 pb-14 shadow-card max-lg:hidden"
    >
      <div className="grid grid-cols-2 gap-5">
        {notes.map((note) => (
          <PinnedQuest key={note.title} {...note} />
        ))}
      </div>
    </div>
  );
}

function PinnedQuest({ title, points, status, left, className }: Note) {
  return (
    <div className={cn('relative grid content-between gap-4 rounded-md bg-card p-4 pt-6 shadow-card', className)}>
      <span className="absolute -top-2 left-1/2 size-4 -translate-x-1/2 rounded-full border-2 border-card bg-points shadow-card" />
      <p className="font-bold font-display leading-snug">{title}</p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="inline-flex items-center gap-1.5 font-semibold tabular-nums">
          <CoinMark />
          {points}
        </span>
        {status ? <StatusBadge status={status} /> : <span className="text-muted text-sm">{left} spots left</span>}
      </div>
    </div>
  );
}

/**
 * Members, quests and points. A minimum shown in place of a missing figure is not called live (HOME-01, HOME-09,
 * HOME-10, C-112).
 */
function SiteFigures() {
  const stats = useQuery(homeQueries.siteStats());
  const settings = useQuery(settingsQueries.app());
  const isWaiting = stats.isPending || settings.isPending;
  const { members, quests, points } = siteFigures(stats.data, settings.data);

  const figures = [
    { label: 'members', value: formatNumber(members.value) },
    { label: quests.isFloor ? 'quests' : 'live quests', value: formatNumber(quests.value) },
    { label: 'points earned', value: formatPoints(points.value), hasCoin: true },
  ];
  return (
    <dl aria-busy={isWaiting} className="grid max-w-lg grid-cols-3 divide-x border-y py-2 sm:py-4">
      {figures.map(({ label, value, hasCoin }) => (
        <div key={label} className="flex flex-col-reverse px-2 first:pl-0 sm:px-4">
          <dt className="text-muted text-sm">{label}</dt>
          <dd className="flex h-8 items-center gap-1.5 font-bold font-display text-xl tabular-nums sm:text-2xl">
            {hasCoin && <CoinMark className="max-[24rem]:hidden" />}
            {isWaiting ? <Skeleton className="h-6 w-16" /> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Feature = { title: string; text: string; icon: LucideIcon };

const instantRewards: Feature = {
  title: 'Instant rewards',
  text: 'During the beta proofs are approved at once.',
  icon: Zap,
};
const promptRewards: Feature = {
  title: 'Prompt rewards',
  text: 'Points arrive the moment your proof is approved.',
  icon: Zap,
};
const features: readonly Feature[] = [
  { title: 'Proof that counts', text: 'Links, words, screenshots, seen only by those who decide.', icon: Link2 },
  { title: 'A readable wallet', text: 'Every point says where it came from.', icon: WalletMinimal },
  { title: 'Leaderboard', text: 'Measure yourself against the best, by a masked name.', icon: Trophy },
  { title: 'Rated projects', text: 'Members say how it was, so you know who asks.', icon: BadgeCheck },
  { title: 'Founder numbers', text: 'Who took part, where people stop, all as CSV.', icon: ChartColumn },
];

/** Six reasons (HOME-05); that of the beta only while it is on (C-69). */
function Features() {
  const isBeta = useIsBeta();
  return (
    <Section title="Powerful Features">
      <ul className="grid grid-cols-2 gap-x-4 gap-y-3 sm:gap-x-5 sm:gap-y-5 lg:grid-cols-3 lg:gap-x-8">
        {[isBeta ? instantRewards : promptRewards, ...features].map(({ title, text, icon: Icon }) => (
          <li key={title} className="grid grid-cols-[auto_1fr] content-start gap-x-2 gap-y-0.5 sm:gap-x-4 sm:gap-y-1">
            <Icon aria-hidden="true" className="size-5 text-action sm:row-span-2 sm:mt-0.5 sm:size-6" />
            <h3 className="text-base sm:text-lg">{title}</h3>
            <p className="text-muted text-sm max-sm:col-span-2 sm:text-base">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const steps = [
  { title: 'Pick a quest', text: 'Each says what to do and what it pays.' },
  { title: 'Do the task', text: 'Try a product, share a link. Most take minutes.' },
  { title: 'Show your proof', text: 'A link, a few words or a screenshot.' },
  { title: 'Collect points', text: 'Once approved, they are yours. None is lost at launch.' },
];

/** The four steps (HOME-05); what points are for is in the hero. */
function HowItWorks() {
  return (
    <Section title="How It Works">
      <ol className="grid grid-cols-2 gap-x-4 gap-y-4 sm:gap-x-6 lg:grid-cols-4">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="grid content-start gap-0.5 border-t-2 border-t-points pt-2 sm:pt-3">
            <h3 className="text-base sm:text-lg">
              <span aria-hidden="true" className="mr-2 text-2xl tabular-nums sm:text-3xl">
                {index + 1}
              </span>
              {title}
            </h3>
            <p className="text-muted text-sm sm:text-base">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** What both sides of a referral get (HOME-05). */
function ReferralSection() {
  const { data: settings } = useQuery(settingsQueries.app());
  const sides = [
    { label: 'You earn', points: settings?.referrer_points ?? 500 },
    { label: 'They earn', points: settings?.referred_points ?? 250 },
  ].filter(({ points }) => points > 0);
  if (sides.length === 0) return null;
  return (
    <Section title="Referral Program" className="pb-4">
      <div className="board-grain grid items-center gap-5 rounded-card border p-4 sm:p-8 lg:grid-cols-[1fr_auto]">
        <div className="grid max-w-prose gap-4">
          <p className="text-lg">
            Share your link. When someone signs up through it,{' '}
            {sides.length > 1 ? 'both of you get' : sides[0]?.label.toLowerCase()} points.
          </p>
          <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
            <JoinCommunity place="referral" />
          </div>
        </div>
        <dl className="grid auto-cols-fr grid-flow-col gap-4">
          {sides.map(({ label, points }, index) => (
            <div
              key={label}
              className={`grid justify-items-center gap-1 rounded-md border bg-card px-4 py-3 shadow-card sm:px-6 sm:py-5 ${index === 0 ? '-rotate-2' : 'rotate-1'}`}
            >
              <dt className="text-muted">{label}</dt>
              <dd>
                <Points value={points} className="font-display text-3xl" />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Section>
  );
}

const gridClass = cn(swipedOnPhones, 'gap-4 max-sm:min-h-80 sm:grid-cols-2 lg:min-h-84 lg:grid-cols-3');

/** Up to three quests that are open to join (HOME-04). */
function LiveQuests() {
  return (
    <Section
      title="Live Quests"
      aside={
        <Button asChild variant="link">
          <Link to={paths.browse()} onClick={() => trackCta('Explore All Quests', 'live-quests')}>
            Explore All Quests <ArrowRight aria-hidden="true" />
          </Link>
        </Button>
      }
    >
      <Quests />
    </Section>
  );
}

function Quests() {
  const quests = useQuery(homeQueries.liveQuests());
  return (
    <QueryView query={quests} failure="The quests could not be loaded" pending={<QuestsLoading />}>
      {(list) => (list.length === 0 ? <NoLiveQuests /> : <QuestCards quests={list} />)}
    </QueryView>
  );
}

function QuestsLoading() {
  return (
    <ul aria-busy="true" aria-label="Loading quests" className={gridClass}>
      {['a', 'b', 'c'].map((key) => (
        <QuestCardSkeleton key={key} />
      ))}
    </ul>
  );
}

function NoLiveQuests() {
  return (
    <EmptyState
      level={3}
      title="No open quests right now"
      text="All spots are taken. New quests are pinned here as soon as a project publishes one."
      action={
        <Button asChild variant="secondary">
          <Link to={paths.browse('projects')}>Meet the projects</Link>
        </Button>
      }
    />
  );
}

function QuestCards({ quests }: { quests: readonly QuestListItem[] }) {
  const states = useOwnQuestStates();
  return (
    <ul className={gridClass}>
      {quests.map((quest) => (
        <QuestCard key={quest.id} quest={quest} state={states[quest.id]} />
      ))}
    </ul>
  );
}

/** Path to the member's referrals, through sign-up for visitors (HOME-03). */
function JoinCommunity({ place }: { place: string }) {
  const isSignedIn = useSession().status === 'signed-in';
  return (
    <Button asChild>
      <Link
        to={isSignedIn ? paths.referrals : paths.signUpForReferrals}
        onClick={() => trackCta('Join Community', place)}
      >
        Join Community
      </Link>
    </Button>
  );
}

/** Path to the project's dashboard, or to sign-up for everybody else (HOME-02). */
function StartYourProject() {
  const { role } = useSession();
  return (
    <Button asChild variant="secondary">
      <Link
        to={isStartupRole(role) ? paths.founder : paths.signUp()}
        state={asFounder}
        onClick={() => trackCta('Start Your Project', 'hero')}
      >
        Start Your Project
      </Link>
    </Button>
  );
}

/** Reports a click on one of home's buttons; `place`: the section (ANA-02). */
function trackCta(label: string, place: string): void {
  analytics.track('cta_click', { label, place });
}
