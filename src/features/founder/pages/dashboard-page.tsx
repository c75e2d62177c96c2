import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, Coins, Plus, Rocket, Users } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { Notice } from '@/components/notice';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { PointsBalance } from '@/components/points';
import { StatCards } from '@/components/stat-cards';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { Spinner } from '@/components/ui/spinner';
import { OnboardingInvite } from '@/features/onboarding';
import { type OwnedProject, OwnProject, type Project, projectQueries } from '@/features/projects';
import { OwnQuestList, questQueries } from '@/features/quests';
import { settingsQueries } from '@/features/settings';
import { walletQueries } from '@/features/wallet';
import { formatCount, formatNumber, formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import { ProfileCard, ProjectStatusBanner } from '../components/profile-card';

/** Project dashboard: the pitch without a profile, otherwise the project and its quests (SDASH-01, SDASH-02). */
export function FounderDashboardPage() {
  return <OwnProject whenMissing={<Pitch />}>{(project) => <Dashboard project={project} />}</OwnProject>;
}

function Pitch() {
  return (
    <div className="page-column grid gap-6 py-8">
      <PageMeta title="Project dashboard" />
      <PaymentPanel project={null} />
      <OnboardingInvite />
      <ProjectPitch />
    </div>
  );
}

function Dashboard({ project }: { project: OwnedProject }) {
  const isVerified = project.status === 'verified';
  return (
    <div className="page-column grid gap-6 pb-16">
      <PageMeta title="Project dashboard" />
      <PageHeader
        title="Project dashboard"
        actions={
          isVerified && (
            <Button asChild>
              <Link to={paths.questNew}>
                <Plus aria-hidden="true" />
                Create Quest
              </Link>
            </Button>
          )
        }
      />
      <PaymentPanel project={project} />
      <ProfileCard project={project} />
      <ProjectStatusBanner project={project} />
      <DashboardTiles projectId={project.id} />
      <section aria-label="Your quests" className="grid gap-4">
        <h2 className="text-2xl">Your quests</h2>
        <OwnQuestList projectId={project.id} canCreate={isVerified} />
      </section>
      <TrialBanner project={project} />
    </div>
  );
}

/** Key figures of the project's quests (SDASH-02). A figure that could not be read is a dash, never a zero. */
function DashboardTiles({ projectId }: { projectId: string }) {
  const quests = useQuery(questQueries.ownLive(projectId));
  const wallet = useQuery(walletQueries.project(projectId));

  const sum = (count: (quest: NonNullable<typeof quests.data>[number]) => number) => {
    if (quests.isPending) return <Skeleton className="h-8 w-16" />;
    if (!quests.data) return '–';
    return formatNumber(quests.data.reduce((total, quest) => total + count(quest), 0));
  };
  const balance = () => {
    if (wallet.isPending) return <Skeleton className="h-8 w-16" />;
    return wallet.data === undefined ? '–' : <PointsBalance value={wallet.data?.points ?? 0} />;
  };

  return (
    <StatCards
      label="Your figures"
      stats={[
        { label: 'Live quests', value: sum((quest) => (quest.status === 'published' ? 1 : 0)) },
        { label: 'Participants', value: sum((quest) => quest.participant_count) },
        { label: 'Approved submissions', value: sum((quest) => quest.approved_count) },
        {
          label: 'Points to spend',
          value: balance(),
          note: (
            <span className="flex flex-wrap gap-x-4">
              <Link to={paths.projectWallet} className="text-action underline underline-offset-4">
                Open wallet
              </Link>
              <Link to={paths.billing} className="text-action underline underline-offset-4">
                Buy points
              </Link>
            </span>
          ),
        },
      ]}
    />
  );
}

/**
 * What the way back from the payment page shows (SDASH-04). Only the payment provider's own message activates the plan
 * (C-20), so until that has come the panel says that it is waiting for it.
 */
function PaymentPanel({ project }: { project: Project | null }) {
  const [params, setParams] = useSearchParams();
  const isShown = params.get('success') === 'subscription';
  const subscription = useQuery({
    ...projectQueries.newSubscription(project?.id ?? ''),
    enabled: isShown && project !== null,
  }).data;
  if (!isShown) return null;

  const handleDismiss = () =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        next.delete('success');
        return next;
      },
      { replace: true },
    );
  return (
    <Card as="section" aria-label="Payment" className="flex flex-col gap-4 border-action sm:flex-row sm:items-center">
      <BadgeCheck aria-hidden="true" className="size-8 shrink-0 text-action" />
      <div className="grow">
        <h2 className="text-xl">Payment Successful</h2>
        <div role="status" className="text-muted">
          {subscription ? (
            'OG Lifetime is active for your project.'
          ) : (
            <span className="inline-flex items-center gap-3">
              <Spinner />
              Your payment is being confirmed. This usually takes a few seconds.
            </span>
          )}
        </div>
      </div>
      <Button onClick={handleDismiss}>Got it!</Button>
    </Card>
  );
}

const steps = [
  { icon: Rocket, title: 'Say who you are', text: 'A name, an industry, a logo. Two minutes.' },
  { icon: Coins, title: 'Publish a quest', text: 'Pick a template. Your first 500 points are on us.' },
  { icon: Users, title: 'Watch people come', text: 'Members try, follow, review, and prove it.' },
] as const;

/** What a founder without a profile sees (SDASH-01). */
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
        {steps.map(({ icon: Icon, title, text }, index) => (
          <li key={title} className="grid gap-1 rounded-card border bg-card p-4 shadow-card">
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

/** The trial's terms, for verified projects that are known to have no active subscription (SDASH-03). */
function TrialBanner({ project }: { project: Project }) {
  const subscription = useQuery(projectQueries.subscription(project.id)).data;
  const settings = useQuery(settingsQueries.app()).data;
  if (project.status !== 'verified' || subscription !== null) return null;
  const quests = settings?.trial_quest_limit ?? 1;
  const points = settings?.trial_budget_points ?? 500;
  return (
    <Notice
      title={`Trial: ${formatCount(quests, 'quest')} live, ${formatPoints(points)} points budget`}
      actions={
        <Button variant="secondary" asChild>
          <Link to={paths.subscribe('og_lifetime')}>See OG Lifetime</Link>
        </Button>
      }
    >
      Subscribing lifts both.{settings?.beta_mode !== false && ' Premium benefits activate after the beta.'}
    </Notice>
  );
}
