import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, BadgeCheck, ExternalLink } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { StatCards } from '@/components/stat-cards';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { feedbackQueries, ProjectFeedback } from '@/features/feedback';
import { displayUrl, type Startup, StartupLogo, startupQueries } from '@/features/projects';
import {
  type Campaign,
  campaignQueries,
  type Quest,
  QuestCard,
  QuestCardSkeleton,
  type QuestSlots,
} from '@/features/quests';
import { formatCount, formatDate, formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { isUuid } from '@/lib/uuid';

/** A project as everyone sees it: who it is, its quests, what members say (PROJ-01..04). */
export function ProjectPage() {
  const { id = '' } = useParams();
  const query = useQuery({ ...startupQueries.detail(id), enabled: isUuid(id) });

  if (!isUuid(id) || query.data === null) return <ProjectNotFound />;
  return (
    <div className="page-column grid gap-8 py-6 pb-16">
      <Link
        to={paths.browse('projects')}
        className="-mb-6 inline-flex min-h-11 items-center gap-2 justify-self-start font-medium text-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        Back to Projects
      </Link>
      {query.data ? (
        <Project startup={query.data} />
      ) : query.isError ? (
        <ErrorState
          title="The project could not be loaded"
          error={query.error}
          onRetry={() => query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <ProjectSkeleton />
      )}
    </div>
  );
}

function Project({ startup }: { startup: Startup }) {
  return (
    <>
      <PageMeta title={startup.name} description={startup.description ?? undefined} />
      <ProjectHeader startup={startup} />
      <ProjectStatistics startup={startup} />
      <ProjectQuests startup={startup} />
      <ProjectFeedback startupId={startup.id} />
    </>
  );
}

function ProjectSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-8">
      <div className="flex gap-5">
        <Skeleton className="size-24" />
        <div className="grid grow content-start gap-3">
          <Skeleton className="h-9 w-64 max-w-full" />
          <Skeleton className="w-96 max-w-full" />
        </div>
      </div>
      <Skeleton className="h-24 rounded-card" />
      <Skeleton className="h-64 rounded-card" />
    </div>
  );
}

function ProjectNotFound() {
  return (
    <CenteredMessage>
      <PageMeta title="Project Not Found" />
      <h1 className="text-3xl">Project Not Found</h1>
      <p className="text-muted">It may have been taken down, or the link is incomplete.</p>
      <Button asChild>
        <Link to={paths.browse('projects')}>Back to Projects</Link>
      </Button>
    </CenteredMessage>
  );
}

/** Who the project is (PROJ-01). */
function ProjectHeader({ startup }: { startup: Startup }) {
  return (
    <header className="flex flex-col gap-5 py-4 sm:flex-row sm:items-start">
      <StartupLogo name={startup.name} logoUrl={startup.logo_url} className="size-20 text-2xl sm:size-24" />
      <div className="grid min-w-0 gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="text-3xl [overflow-wrap:anywhere] sm:text-4xl">{startup.name}</h1>
          {startup.status === 'verified' && (
            <Badge tone="action">
              <BadgeCheck aria-hidden="true" />
              Verified
            </Badge>
          )}
        </div>
        {startup.description && <p className="max-w-prose whitespace-pre-line text-lg">{startup.description}</p>}
        <p className="flex flex-wrap items-center gap-x-4 text-muted">
          <span>{startup.industry}</span>
          {startup.website && (
            <a
              href={startup.website}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex min-h-11 items-center gap-1.5 font-medium text-action underline underline-offset-4"
            >
              {displayUrl(startup.website)}
              <ExternalLink aria-hidden="true" className="size-4" />
            </a>
          )}
        </p>
      </div>
    </header>
  );
}

/** The project's live quests. They lead to the members' page, from where visitors are sent to sign in (PROJ-02, C-16). */
function ProjectQuests({ startup }: { startup: Startup }) {
  const query = useQuery(campaignQueries.byStartup(startup.id));
  const quests = activeQuests(startup, query.data ?? []);
  return (
    <section aria-label="Active quests" className="grid gap-4">
      <h2 className="text-2xl">Active quests</h2>
      {query.isLoadingError ? (
        <ErrorState title="The quests could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      ) : query.isSuccess && quests.length === 0 ? (
        <EmptyState level={3} title="No active quests" text="New quests of this project appear here." />
      ) : (
        <ul aria-busy={query.isPending} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {query.isPending && <QuestCardSkeleton />}
          {quests.map(({ quest, slots }) => (
            <QuestCard key={quest.id} quest={quest} slots={slots} to={paths.communityQuest(quest.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Active quests, average rating, points to earn and since when (PROJ-03). What is not known is a dash, not a zero. */
function ProjectStatistics({ startup }: { startup: Startup }) {
  const campaigns = useQuery(campaignQueries.byStartup(startup.id)).data;
  const ratings = useQuery(feedbackQueries.projectStats(startup.id)).data;
  const quests = campaigns && activeQuests(startup, campaigns);
  return (
    <StatCards
      label="Statistics"
      stats={[
        { label: 'Active quests', value: quests ? formatNumber(quests.length) : '–' },
        {
          label: 'Average rating',
          value: ratings && ratings.totalReviews > 0 ? ratings.averageRating.toFixed(1) : '–',
          note: ratings && formatCount(ratings.totalReviews, 'review'),
        },
        { label: 'Total points', value: quests ? <Points value={totalPoints(quests)} /> : '–' },
        { label: 'Joined', value: formatDate(startup.created_at) },
      ]}
    />
  );
}

/** The project's live quests, as its page and the quest card show them (PROJ-02). */
function activeQuests(startup: Startup, campaigns: readonly Campaign[]): { quest: Quest; slots: QuestSlots }[] {
  return campaigns
    .filter((campaign) => campaign.status === 'published')
    .map((campaign) => ({ quest: questOf(startup, campaign), slots: slotsOf(campaign) }));
}

function questOf(startup: Startup, campaign: Campaign): Quest {
  return {
    id: campaign.id,
    title: campaign.title,
    summary: campaign.summary,
    budget_points: campaign.budget_points,
    collect_emails: campaign.collect_emails,
    custom_reward_title: campaign.custom_reward_title,
    custom_reward_description: campaign.custom_reward_description,
    task_count: campaign.task_count,
    average_reward: campaign.task_count > 0 ? campaign.task_reward_sum / campaign.task_count : null,
    created_at: campaign.created_at,
    published_at: campaign.published_at ?? campaign.created_at,
    startup_id: startup.id,
    startup_name: startup.name,
    startup_logo_url: startup.logo_url,
    startup_verified: startup.status === 'verified',
    cursor: '',
  };
}

function slotsOf(campaign: Campaign): QuestSlots {
  const available = Math.max(campaign.open_slots ?? 0, 0);
  return {
    total_slots: campaign.total_slots,
    available_slots: available,
    completed_slots: campaign.approved_count,
    is_quest_full: available === 0,
  };
}

/** What members can earn in all live quests together, in points (PROJ-03). */
function totalPoints(quests: readonly { quest: Pick<Quest, 'budget_points'> }[]): number {
  return quests.reduce((sum, { quest }) => sum + quest.budget_points, 0);
}
