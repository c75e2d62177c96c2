import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, ChartColumn, Link2, type LucideIcon, Trophy, WalletMinimal, Zap } from 'lucide-react';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { PageMeta } from '@/components/page-meta';
import { CoinMark, Points } from '@/components/points';
import { type Status, StatusBadge } from '@/components/status-badge';
import { Skeleton } from '@/components/ui/skeleton';
import { useReferralCapture } from '@/features/referrals';
import { settingsQueries, useIsBeta } from '@/features/settings';
import { cn } from '@/lib/cn';
import { formatNumber, formatPoints } from '@/lib/format';
import { LiveQuests } from '../components/live-quests';
import { Pricing } from '../components/pricing';
import { JoinCommunity, Section, StartYourProject } from '../components/section';
import { homeQueries } from '../queries';
import { siteFigures } from '../site-figures';

/** Links to a section ('/#pricing') arrive before this lazily loaded page has one to scroll to. */
function useScrollToSection() {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
}

/** The front of the board (HOME-01..10). */
export default function HomePage() {
  useReferralCapture();
  useScrollToSection();
  return (
    <>
      <PageMeta description="Complete small quests for new products, prove them, and earn points that become rewards or cash after launch." />
      <Hero />
      <LiveQuests />
      <HowItWorks />
      <Features />
      <Pricing />
      <ReferralSection />
    </>
  );
}

/** What Questboard is, in one look, with how alive it is (HOME-01..03). */
function Hero() {
  return (
    <div className="board-grain border-b">
      <div className="page-column grid items-center gap-10 py-9 sm:py-10 lg:grid-cols-[1.1fr_1fr]">
        <div className="grid gap-6">
          <h1 className="text-[2.6rem] sm:text-6xl">Help new products grow. Earn points for it.</h1>
          <p className="max-w-prose text-lg text-muted sm:text-xl">
            Projects pin small quests to the board. You do them, show the proof, and collect points that become rewards
            or cash after launch.
          </p>
          <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
            <JoinCommunity place="hero" />
            <StartYourProject place="hero" />
          </div>
          <LiveFigures />
        </div>
        <HeroBoard className="max-lg:hidden" />
      </div>
    </div>
  );
}

type Note = { title: string; points: number; status?: Status; left?: number; className: string };

const notes: Note[] = [
  { title: 'Try the sign-up and tell us where you stopped', points: 50, status: 'Completed', className: '-rotate-2' },
  { title: 'Write an honest review', points: 75, left: 4, className: 'rotate-1 translate-y-6' },
  { title: 'Watch the demo, name three questions', points: 40, left: 12, className: 'rotate-2' },
  { title: 'Share your screenshot', points: 30, status: 'Processing', className: '-rotate-1 translate-y-6' },
];

/** The board as a picture: what quests look like before one has seen any. Decorative. */
function HeroBoard({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={cn('rounded-card border-8 border-sunken bg-action-soft px-6 pt-8 pb-14 shadow-card', className)}
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

/** Members, quests and points of this moment. A failure shows the floors instead (HOME-01, HOME-09, HOME-10). */
function LiveFigures() {
  const stats = useQuery(homeQueries.siteStats());
  const settings = useQuery(settingsQueries.app());
  const isWaiting = stats.isPending || settings.isPending;
  const { members, quests, points } = siteFigures(stats.data, settings.data);

  const figures = [
    { label: 'members', value: formatNumber(members) },
    { label: 'live quests', value: formatNumber(quests) },
    { label: 'points earned', value: formatPoints(points), hasCoin: true },
  ];
  return (
    <dl aria-busy={isWaiting} className="grid max-w-lg grid-cols-3 divide-x border-y py-4">
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

const features: { title: string; text: string; betaText?: string; icon: LucideIcon }[] = [
  {
    title: 'Instant rewards',
    text: 'The points arrive with the approval, not at the end of the month.',
    betaText: 'During the beta proofs are approved at once, and the points arrive with them.',
    icon: Zap,
  },
  {
    title: 'Proof that counts',
    text: 'Links, words and screenshots. Only you, the project and our team see them.',
    icon: Link2,
  },
  { title: 'A wallet you can read', text: 'Every point has a line that says where it came from.', icon: WalletMinimal },
  { title: 'Leaderboard', text: 'See how you stand against the best, with names kept private.', icon: Trophy },
  {
    title: 'Rated projects',
    text: 'Members say how it was, so you know who you work for.',
    icon: BadgeCheck,
  },
  {
    title: 'Numbers for founders',
    text: 'Who took part, where people stop, and every submission as a CSV.',
    icon: ChartColumn,
  },
];

/** Six reasons (HOME-05). */
function Features() {
  const isBeta = useIsBeta();
  return (
    <Section title="Powerful Features" lead="For members who want to be paid, and founders who want to know.">
      <ul className="grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
        {features.map(({ title, text, betaText, icon: Icon }) => (
          <li key={title} className="grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-1">
            <span
              aria-hidden="true"
              className="row-span-2 grid size-11 place-items-center rounded-control bg-action-soft"
            >
              <Icon className="size-5 text-action" />
            </span>
            <h3 className="text-lg">{title}</h3>
            <p className="text-muted">{(isBeta && betaText) || text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const steps = [
  {
    title: 'Pick a quest',
    text: 'Browse the board. Every card says what to do, what it pays and how many spots are left.',
  },
  { title: 'Do the task', text: 'Try a product, write a review, share a link. Most tasks take a few minutes.' },
  { title: 'Show your proof', text: 'A link, a few words or a screenshot, whichever the project asks for.' },
  { title: 'Collect points', text: 'Once approved, the points are in your wallet, each with the reason beside it.' },
];

/** The four steps, and what the points are for (HOME-05). */
function HowItWorks() {
  return (
    <Section title="How It Works">
      <ol className="grid gap-x-6 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="grid content-start gap-2 border-t-2 border-t-points pt-4">
            <span aria-hidden="true" className="font-bold font-display text-4xl leading-none tabular-nums">
              {index + 1}
            </span>
            <h3 className="text-xl">{title}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ol>
      <p className="mt-10 flex items-start gap-3 rounded-card bg-points-soft p-4 text-lg sm:items-center sm:p-5">
        <CoinMark className="mt-0.5 size-7 sm:mt-0" />
        <span>
          <strong>Nothing you earn is lost.</strong> After launch your points become rewards or cash.
        </span>
      </p>
    </Section>
  );
}

/** What both sides of a referral get (HOME-05). */
function ReferralSection() {
  const { data: settings } = useQuery(settingsQueries.app());
  const sides = [
    { label: 'You earn', points: settings?.referrer_points ?? 500 },
    { label: 'They earn', points: settings?.referred_points ?? 250 },
  ];
  return (
    <Section title="Referral Program" className="pb-4">
      <div className="board-grain grid items-center gap-6 rounded-card border p-5 sm:p-8 lg:grid-cols-[1fr_auto]">
        <div className="grid max-w-prose gap-5">
          <p className="text-lg">Share your link. When someone signs up through it, both of you get points.</p>
          <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
            <JoinCommunity place="referral" />
          </div>
        </div>
        <dl className="grid grid-cols-2 gap-4">
          {sides.map(({ label, points }, index) => (
            <div
              key={label}
              className={`grid justify-items-center gap-1 rounded-md border bg-card px-6 py-5 shadow-card ${index === 0 ? '-rotate-2' : 'rotate-1'}`}
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
