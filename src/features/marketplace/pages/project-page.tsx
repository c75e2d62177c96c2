import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, BadgeCheck, ExternalLink } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { EmptyState } from '@/components/empty-state';
import { FirstContent } from '@/components/first-content';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatCards } from '@/components/stat-cards';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { feedbackQueries, ProjectFeedback, ReportButton } from '@/features/feedback';
import {
  FollowProjectButton,
  formerName,
  type Project,
  ProjectLogo,
  type ProjectPromises,
  projectQueries,
} from '@/features/projects';
import {
  QuestCard,
  QuestCardSkeleton,
  type QuestListItem,
  type QuestState,
  questQueries,
  useOwnQuestStates,
} from '@/features/quests';
import { formatCount, formatDate, formatHours, formatNumber, formatPercent, formatSpan } from '@/lib/format';
import { heads, projectHead } from '@/lib/head/page-head';
import { isUuid, paths } from '@/lib/paths';
import { displayUrl } from '@/lib/web-address';

/** The public page of a project: profile, quests, feedback (PROJ-01..04). */
export default function ProjectPage() {
  const { id = '' } = useParams();
  const query = useQuery({ ...projectQueries.detail(id), enabled: isUuid(id) });

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
      <QueryView
        query={query}
        failure="The project could not be loaded"
        pending={<FirstContent part="content" fallback={<ProjectSkeleton />} />}
      >
        {(project) => project && <ProjectDetails project={project} />}
      </QueryView>
    </div>
  );
}

function ProjectDetails({ project }: { project: Project }) {
  return (
    <>
      <PageMeta {...projectHead({ key: project.id, title: project.name, summary: project.description })} />
      <ProjectHeader project={project} />
      <ProjectStatistics project={project} />
      <PromisesKept projectId={project.id} />
      <ProjectQuests project={project} />
      <ProjectFeedback projectId={project.id} />
      <ReportButton what="project" name={project.name} path={paths.project(project.id)} />
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
          <Skeleton className="h-4 w-96 max-w-full" />
        </div>
      </div>
      <Skeleton shape="card" className="h-24" />
      <Skeleton shape="card" className="h-64" />
    </div>
  );
}

function ProjectNotFound() {
  return (
    <CenteredMessage>
      <PageMeta {...heads.projectNotFound} />
      <h1 className="text-3xl">Project Not Found</h1>
      <p className="text-muted">It may have been taken down, or the link is incomplete.</p>
      <Button asChild>
        <Link to={paths.browse('projects')}>Back to Projects</Link>
      </Button>
    </CenteredMessage>
  );
}

/** Who the project is (PROJ-01). */
function ProjectHeader({ project }: { project: Project }) {
  const former = formerName(project);
  return (
    <header className="flex flex-col gap-5 py-4 sm:flex-row sm:items-start">
      <ProjectLogo name={project.name} logoUrl={project.logo_url} className="size-20 text-2xl sm:size-24" />
      <div className="grid min-w-0 gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="text-3xl [overflow-wrap:anywhere] sm:text-4xl">{project.name}</h1>
          {project.status === 'verified' && (
            <Badge tone="action">
              <BadgeCheck aria-hidden="true" />
              Verified
            </Badge>
          )}
        </div>
        {former && <p className="-mt-2 text-muted [overflow-wrap:anywhere]">formerly {former}</p>}
        {project.description && (
          <p className="max-w-prose dir-auto whitespace-pre-line text-lg">{project.description}</p>
        )}
        <p className="flex flex-wrap items-center gap-x-4 text-muted">
          <span>{project.industry}</span>
          {project.website && (
            <a
              href={project.website}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex min-h-11 min-w-0 items-center gap-1.5 font-medium text-action underline underline-offset-4 [overflow-wrap:anywhere]"
            >
              {displayUrl(project.website)}
              <ExternalLink aria-hidden="true" className="size-4 shrink-0" />
            </a>
          )}
        </p>
        <div>
          <FollowProjectButton projectId={project.id} />
        </div>
      </div>
    </header>
  );
}

/** The project's live quests. They link to the members' page, which redirects visitors to sign in (PROJ-02, C-16). */
function ProjectQuests({ project }: { project: Project }) {
  const query = useQuery(questQueries.ofProject(project.id));
  const states = useOwnQuestStates();
  return (
    <section aria-label="Active quests" className="grid gap-4">
      <h2 className="text-2xl">Active quests</h2>
      <QueryView
        query={query}
        failure="The quests could not be loaded"
        pending={
          <ul aria-busy="true" className="card-grid">
            <QuestCardSkeleton />
          </ul>
        }
      >
        {(quests) =>
          quests.length === 0 ? (
            <EmptyState level={3} title="No active quests" text="New quests of this project appear here." />
          ) : (
            <ul className="card-grid">
              {doneLast(quests, states).map((quest) => (
                <QuestCard key={quest.id} quest={quest} state={states[quest.id]} to={paths.communityQuest(quest.id)} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  );
}

/** Completed quests move to the end; otherwise the order stays (BEY-21). */
function doneLast(quests: readonly QuestListItem[], states: Readonly<Record<string, QuestState>>): QuestListItem[] {
  const isDone = ({ id }: QuestListItem) => states[id] === 'complete';
  return [...quests.filter((quest) => !isDone(quest)), ...quests.filter(isDone)];
}

/** Active quests, average rating, points to earn and start date (PROJ-03). Unknown figures are a dash, not a zero. */
function ProjectStatistics({ project }: { project: Project }) {
  const quests = useQuery(questQueries.ofProject(project.id)).data;
  const ratings = useQuery(feedbackQueries.projectStats(project.id)).data;
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
        { label: 'Joined', value: <span data-long>{formatDate(project.created_at)}</span> },
      ]}
    />
  );
}

/** The budgets of all live quests together, in points (PROJ-03). */
function totalPoints(quests: readonly Pick<QuestListItem, 'budget_points'>[]): number {
  return quests.reduce((sum, { budget_points }) => sum + budget_points, 0);
}

/** Minimum number of decisions for a record (BEY-05). */
const leastDecisions = 10;

/** The project's promises to members and its review record (BEY-05). */
function PromisesKept({ projectId }: { projectId: string }) {
  const query = useQuery(projectQueries.promises(projectId));
  return (
    <section aria-labelledby="project-promises" className="grid gap-4">
      <h2 id="project-promises" className="text-2xl">
        Promises kept
      </h2>
      <QueryView query={query} failure="The project’s record could not be loaded">
        {(promises) => promises && <ReviewRecord promises={promises} />}
      </QueryView>
    </section>
  );
}

function ReviewRecord({ promises }: { promises: ProjectPromises }) {
  const { most_review_hours: most, decided, accepted, in_time, overturned, median_seconds } = promises;
  const rejected = (decided ?? 0) - (accepted ?? 0);
  const share = (part: number | null, whole: number) => (whole > 0 ? formatPercent((part ?? 0) / whole) : '–');
  return (
    <>
      <StatCards
        label="Promises"
        stats={[
          { label: 'Points reserved', value: <Points value={promises.reserved_points} />, note: 'For its open quests' },
          most === 0
            ? { label: 'Proofs are approved', value: 'At once' }
            : {
                label: 'Answer promised within',
                value: most === null ? '–' : formatHours(most),
                note: 'Or the proof is approved',
              },
          {
            label: 'Usually answers in',
            value: median_seconds === null ? '–' : formatSpan(median_seconds),
            note: decided === null ? undefined : `${share(in_time, decided)} in time`,
          },
          {
            label: 'Proofs accepted',
            value: decided === null ? '–' : share(accepted, decided),
            note:
              decided === null
                ? undefined
                : `Of ${formatCount(decided, 'decision')} in 90 days${rejected > 0 ? `; ${share(overturned, rejected)} of rejections overturned on appeal` : ''}`,
          },
        ]}
      />
      {decided === null && <p className="text-muted">Review statistics appear after {leastDecisions} decisions.</p>}
    </>
  );
}
