import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheckBig, ClipboardCheck, Coins, Plus, Rocket, Users } from 'lucide-react';
import { lazy } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { LatePart } from '@/components/lazy';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { PointsBalance } from '@/components/points';
import { useHaveSettled } from '@/components/query-group';
import { QueryView } from '@/components/query-view';
import { StatCards } from '@/components/stat-cards';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { OnboardingInvite } from '@/features/onboarding';
import { type OwnedProject, OwnProject, type Project } from '@/features/projects';
import { OwnQuestList, questQueries } from '@/features/quests';
import { isOverdue, type ReviewCounts, submissionQueries } from '@/features/submissions';
import { type ProjectPoints, projectWalletQueries } from '@/features/wallet';
import { cn } from '@/lib/cn';
import { formatAge, formatCount, formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import { ProfileCard, ProjectStatusBanner, TrialBanner } from '../components/profile-card';

/** Project dashboard: the pitch without a profile, otherwise the project and its quests (SDASH-01, SDASH-02). */
export default function FounderDashboardPage() {
  return <OwnProject whenMissing={<Pitch />}>{(project) => <Dashboard project={project} />}</OwnProject>;
}

function Pitch() {
  return (
    <div className="page-column grid gap-6 py-8">
      <PageMeta title="Project dashboard" />
      <PaymentOutcome project={null} />
      <OnboardingInvite />
      <ProjectPitch />
    </div>
  );
}

function Dashboard({ project }: { project: OwnedProject }) {
  const isVerified = project.status === 'verified';
  // The server refuses everything below the notice to suspended owners.
  const isSuspended = project.suspended_at !== null;
  // Good news comes later; blocking problems come first.
  const isInOrder = isVerified && !isSuspended;
  const counts = useQuery({ ...submissionQueries.counts(), enabled: !isSuspended });
  const quests = useQuery({ ...questQueries.ownLive(project.id), enabled: !isSuspended });
  // These queries decide what comes first on the page, so the rest waits for them to avoid a layout shift.
  const haveSettled = useHaveSettled([counts, quests]);
  // A page has one primary button: waiting proofs, the first quest or an unpublished one come before another quest.
  const hasWaiting = counts.data?.some(({ pending_count }) => pending_count > 0);
  const hasUnpublished = quests.data?.some(({ status }) => status !== 'published');
  const isNextStep = !hasWaiting && !hasUnpublished && quests.data?.length !== 0;
  return (
    <div className="page-column grid gap-6 pb-16">
      <PageMeta title="Project dashboard" />
      <PageHeader
        title="Project dashboard"
        actions={
          isInOrder && (
            <Button asChild variant={isNextStep ? 'primary' : 'secondary'}>
              <Link to={paths.questNew}>
                <Plus aria-hidden="true" />
                Create Quest
              </Link>
            </Button>
          )
        }
      />
      <PaymentOutcome project={project} />
      {!isInOrder && <ProjectStatusBanner project={project} />}
      {isSuspended ? (
        <ProfileCard project={project} />
      ) : haveSettled ? (
        <>
          <WaitingProofs />
          <FirstQuestChecklist project={project} />
          <DashboardTiles />
          <section aria-label="Your quests" className="grid gap-4">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <h2 className="text-2xl">Your quests</h2>
              <QuestTotals projectId={project.id} />
            </div>
            <OwnQuestList projectId={project.id} canCreate={isVerified} />
          </section>
          <ProfileCard project={project} />
          {isInOrder && <ProjectStatusBanner project={project} />}
          <TrialBanner project={project} />
        </>
      ) : (
        <div aria-busy="true" className="grid gap-6">
          <Skeleton shape="card" className="h-28" />
          <Skeleton shape="card" className="h-64" />
        </div>
      )}
    </div>
  );
}

/** The founder's pending work, at the top; renders nothing without any. */
function WaitingProofs() {
  const counts = useQuery(submissionQueries.counts());
  return (
    <QueryView query={counts} failure="Your waiting proofs could not be loaded" pending={null}>
      {(rows) => <WaitingCard counts={rows} />}
    </QueryView>
  );
}

function WaitingCard({ counts }: { counts: readonly ReviewCounts[] }) {
  const waiting = counts.reduce((total, row) => total + row.pending_count, 0);
  if (waiting === 0) return null;
  const flagged = counts.reduce((total, row) => total + row.flagged_count, 0);
  const next = counts.flatMap(({ next_due_at }) => next_due_at ?? []).sort()[0];
  return (
    <Card
      as="section"
      aria-label="Waiting proofs"
      className="flex flex-wrap items-center gap-4 border-l-4 border-l-warning"
    >
      <div className="flex grow basis-64 items-start gap-4 sm:items-center">
        <ClipboardCheck aria-hidden="true" className="size-8 shrink-0 text-warning" />
        <div className="min-w-0">
          <h2 className="text-xl">{formatCount(waiting, 'proof is waiting', 'proofs are waiting')}</h2>
          <p className="text-muted">
            {next &&
              (isOverdue(next)
                ? `The first was due ${formatAge(next)} and needs your decision.`
                : `The first is due ${formatAge(next)} and is approved if you have not decided by then.`)}
            {flagged > 0 && ` ${formatCount(flagged, 'is', 'are')} flagged.`}
          </p>
        </div>
      </div>
      <Button asChild className="max-sm:w-full">
        <Link to={paths.review}>Review now</Link>
      </Button>
    </Card>
  );
}

/** Checklist up to the first decided proof; hidden when complete. */
function FirstQuestChecklist({ project }: { project: OwnedProject }) {
  const quests = useQuery(questQueries.ownLive(project.id)).data;
  if (!quests) return null;
  const hasQuest = quests.some(({ published_at }) => published_at !== null);
  const hasDraft = quests.length > 0 && !hasQuest;
  const hasProof = quests.some(({ submission_count }) => submission_count > 0);
  if (quests.some(({ submission_count, pending_count }) => submission_count > pending_count)) return null;
  const steps = [
    { isDone: true, text: 'Create your project profile' },
    { isDone: project.status === 'verified', text: 'Get your project verified' },
    {
      isDone: hasQuest,
      text: hasDraft ? 'Publish your first quest: its draft is below' : 'Publish your first quest',
      // At the trial's limit, a draft leaves no room for another quest.
      to: hasDraft ? undefined : paths.questNew,
    },
    { isDone: hasProof, text: 'Get the first proof: share the quest with people you know' },
    { isDone: false, text: 'Review it', to: paths.review },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Card as="section" aria-label="Your first quest" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-xl">Your first quest</h2>
        <Link to={paths.onboarding} className="text-action underline underline-offset-4">
          Show me around
        </Link>
      </div>
      <ol className="grid gap-1">
        {steps.map(({ isDone, text, to }, index) => (
          <li key={text} className={cn('flex min-h-8 items-center gap-2.5', isDone && 'text-muted')}>
            {isDone ? (
              <CircleCheckBig aria-hidden="true" className="size-5 shrink-0 text-action" />
            ) : (
              <Circle aria-hidden="true" className="size-5 shrink-0 text-muted" />
            )}
            {index === next && to && project.status === 'verified' ? (
              <Link to={to} className="font-semibold text-action underline underline-offset-4">
                {text}
              </Link>
            ) : (
              <span className={cn(index === next && 'font-semibold')}>{text}</span>
            )}
            {isDone && <VisuallyHidden>(done)</VisuallyHidden>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Lower for a mouse, so that the tile is not higher than the others. */
const tileLinkClass =
  'inline-flex min-h-7 pointer-coarse:min-h-11 items-center text-action underline underline-offset-4';

/** Totals of the project's points (SDASH-02). A figure that could not be loaded is a dash, never a zero. */
function DashboardTiles() {
  const points = useQuery(projectWalletQueries.points());
  const figure = (of: (read: ProjectPoints) => number) => {
    if (points.isPending) return <Skeleton className="h-8 w-16" />;
    return points.data === undefined ? '–' : <PointsBalance value={of(points.data)} />;
  };
  return (
    <div className="grid gap-2">
      <StatCards
        label="Your points"
        stats={[
          { label: 'Free', value: figure(({ free }) => free), note: 'For new quests and tasks' },
          {
            label: 'Reserved',
            value: figure(({ reserved }) => reserved),
            note: 'For open spots of your quests',
          },
          { label: 'Spent', value: figure(({ paid }) => paid), note: 'Paid to members, net of reversals' },
          {
            label: 'Bought',
            value: figure(({ bought }) => bought),
            note: (
              <span className="flex flex-wrap gap-x-4">
                <span className="basis-full">Paid for by you, net of refunds</span>
                <Link to={paths.projectWallet} className={tileLinkClass}>
                  Open wallet
                </Link>
                <Link to={paths.billing} className={tileLinkClass}>
                  Buy points
                </Link>
              </span>
            ),
          },
        ]}
      />
      {points.data && <p className="text-muted text-sm">{pointsSum(points.data)}</p>}
    </div>
  );
}

/** Sources of the points, so that the figures add up (C-112, BEY-06). */
function pointsSum({ free, reserved, paid, bought, granted, other }: ProjectPoints): string {
  const sources = [
    `${formatPoints(granted)} as your trial budget`,
    `${formatPoints(bought)} bought`,
    ...(other === 0 ? [] : [`${formatPoints(other, { sign: true })} by corrections`]),
  ];
  return `Free, reserved and spent add up to ${formatCount(free + reserved + paid, 'point')}: ${sources.join(', ')}.`;
}

/** '2 live quests · 31 participants (counted per quest) · 28 approved submissions'; null until they are loaded. */
function QuestTotals({ projectId }: { projectId: string }) {
  const quests = useQuery(questQueries.ownLive(projectId)).data;
  if (!quests || quests.length === 0) return null;
  const sum = (count: (quest: NonNullable<typeof quests>[number]) => number) =>
    quests.reduce((total, quest) => total + count(quest), 0);
  return (
    <p className="text-muted">
      {[
        formatCount(
          sum(({ status }) => Number(status === 'published')),
          'live quest',
        ),
        // A member who takes part in two quests counts in both (C-112).
        `${formatCount(
          sum(({ participant_count }) => participant_count),
          'participant',
        )} (counted per quest)`,
        formatCount(
          sum(({ approved_count }) => approved_count),
          'approved submission',
        ),
      ].join(' · ')}
    </p>
  );
}

const PaymentPanel = lazy(() => import('../components/payment-panel'));

/** Shown after returning from the payment page (SDASH-04). */
function PaymentOutcome({ project }: { project: Project | null }) {
  const [params] = useSearchParams();
  if (params.get('success') !== 'subscription') return null;
  return (
    <LatePart>
      <PaymentPanel project={project} />
    </LatePart>
  );
}

const pitchSteps = [
  { icon: Rocket, title: 'Say who you are', text: 'A name, an industry, a logo. Two minutes.' },
  { icon: Coins, title: 'Publish a quest', text: 'Pick a template, add your link, and it is live.' },
  { icon: Users, title: 'Watch people come', text: 'Members try, follow, review, and send proof.' },
] as const;

/** Shown to a founder without a profile (SDASH-01). */
function ProjectPitch() {
  return (
    <section className="board-grain rounded-card border px-4 py-10 sm:px-10 sm:py-14">
      <div className="grid max-w-3xl gap-6">
        <h1 className="text-4xl sm:text-5xl">Get Your First 10 Users This Week</h1>
        <p className="max-w-prose text-lg text-muted">
          Put a quest on the board. Members try your product for points and show you what they did.
        </p>
        <div className="flex flex-col gap-3 sm:flex-row">
          <Button asChild>
            <Link to={paths.projectProfile}>Create Your Project Profile</Link>
          </Button>
          <Button variant="secondary" asChild>
            <Link to={paths.subscribe('og_lifetime')}>Upgrade to OG Lifetime</Link>
          </Button>
        </div>
      </div>
      <ol className="mt-10 grid gap-4 sm:grid-cols-3">
        {pitchSteps.map(({ icon: Icon, title, text }, index) => (
          <li key={title} className="grid content-start gap-1 rounded-card border bg-card p-4 shadow-card">
            <Icon aria-hidden="true" className="mb-1 size-6 text-action" />
            <h2 className="text-lg">
              {index + 1}. {title}
            </h2>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
