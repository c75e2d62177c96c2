import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, ExternalLink, Gift, ListChecks, Pencil } from 'lucide-react';
import { lazy, type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { FirstContent } from '@/components/first-content';
import { LatePart } from '@/components/lazy';
import { MainAction, MainActionPage } from '@/components/main-action';
import { Markdown, preloadMarkdown } from '@/components/markdown';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatusBadge } from '@/components/status-badge';
import { takeFocus } from '@/components/take-focus';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { accountQueries } from '@/features/account';
import { ReportButton } from '@/features/feedback';
import { type Project, ProjectLogo } from '@/features/projects';
import {
  HoldNotice,
  promisedHours,
  SaveQuestButton,
  scheduleText,
  statusLabel,
  takesProofs,
  timeNeeded,
  useRecordQuestView,
  useSavedQuestIds,
} from '@/features/quests';
import { settingsQueries } from '@/features/settings';
import { formatAge, formatCount, formatHours } from '@/lib/format';
import { heads, questHead } from '@/lib/head/page-head';
import { paths } from '@/lib/paths';
import { ProgressCard, WhatNext } from '../components/quest-progress';
import { TaskList } from '../components/quest-tasks';
import { aboutText, leadText, nextStep } from '../quest';
import { type QuestView, useQuest } from '../use-quest';

/** A quest, for visitors (/browse/quest, /quest), members and its owner (/community/quest) (ROUTE-02, ROUTE-04). */
export default function QuestPage() {
  const { id = '' } = useParams();
  const { needed, isMissing, view: latest } = useQuest(id);
  // So that rendering the page does not hold up typing and clicks.
  const view = useDeferredValue(latest);
  const [shownId, setShownId] = useState<string | null>(null);
  if (latest && shownId !== id) setShownId(id);
  useEffect(preloadMarkdown, []);
  if (isMissing) return shownId === id ? <QuestTakenDown /> : <QuestNotFound />;
  return (
    <div className="page-column pb-16">
      {/* Until it has loaded, the prerendered head, or that of the previous page, is kept. */}
      {!view && needed.some(({ isError }) => isError) && <PageMeta title="Quest" />}
      <QueryView
        query={needed}
        failure="The quest could not be loaded"
        failureClassName="py-10"
        isWaiting={!view}
        pending={<FirstContent part="content" fallback={<QuestSkeleton />} />}
      >
        {() => view && <QuestScreen view={view} />}
      </QueryView>
    </div>
  );
}

function QuestNotFound() {
  return (
    <CenteredMessage>
      <PageMeta {...heads.questNotFound} />
      <h1 className="text-3xl">Quest Not Found</h1>
      <p className="text-muted">It may have ended or been removed, or the address is wrong.</p>
      <Button asChild>
        <Link to={paths.community}>Back to Quest Feed</Link>
      </Button>
    </CenteredMessage>
  );
}

/** Instead of 'not found' for somebody who was reading it, maybe with a proof half written. */
function QuestTakenDown() {
  return (
    <CenteredMessage>
      <PageMeta {...heads.questNotFound} />
      {/* What they were reading may have been further down. */}
      <h1 ref={takeFocus} tabIndex={-1} className="text-3xl outline-none">
        This quest has left the board
      </h1>
      <p role="status" className="text-muted">
        It was paused or ended while you were here. A proof that you had started is kept in this browser for a week, in
        case the quest comes back.
      </p>
      <Button asChild>
        <Link to={paths.community}>Back to Quest Feed</Link>
      </Button>
    </CenteredMessage>
  );
}

/** The quest for its current viewer: the tasks in the middle, the project and the viewer's own progress beside them. */
function QuestScreen({ view }: { view: QuestView }) {
  const { quest, project, viewer } = view;
  const step = nextStep(view);
  useFirstView(view);
  const facts = {
    key: quest.id,
    title: quest.title,
    summary: quest.summary,
    project_name: project?.name ?? null,
    reward_points: quest.open_reward_points,
    reward_title: quest.custom_reward_title,
  };

  return (
    <article>
      {/* Visitors find only quests that they could take part in, as in get_page_facts. */}
      <PageMeta {...questHead(facts)} isIndexed={takesProofs(quest)} />
      <MainActionPage>
        <QuestHeader view={view} />
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="grid min-w-0 gap-6">
            {step.kind === 'join' && <JoinBanner questId={quest.id} />}
            {viewer === 'owner' && <OwnerPanel quest={quest} tasks={view.tasks} />}
            <QuestAbout view={view} />
            <TaskList view={view} step={step} />
            {viewer === 'participant' && <WhatNext step={step} />}
            {viewer !== 'owner' && <ReportButton what="quest" name={quest.title} path={paths.publicQuest(quest.id)} />}
          </div>
          {/* On phones its parts are separate: progress before the tasks once there is any, the project after them. */}
          <aside aria-label="Progress and project" className="gap-6 max-lg:contents lg:sticky lg:top-20 lg:grid">
            {viewer === 'participant' && <ProgressCard view={view} step={step} />}
            {project && <ProjectCard project={project} />}
          </aside>
        </div>
      </MainActionPage>
    </article>
  );
}

/** Most who open a quest do not own it. */
const OwnerAnalytics = lazy(() => import('../components/owner-analytics'));

/** Shown to the owner in place of progress (QUEST-11). */
function OwnerPanel({ quest, tasks }: Pick<QuestView, 'quest' | 'tasks'>) {
  return (
    <section aria-label="Your quest" className="grid gap-4">
      <HoldNotice quest={quest} />
      <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
        <Button asChild>
          <Link to={paths.questSubmissions(quest.id)}>
            <ListChecks aria-hidden="true" />
            View All Submissions
          </Link>
        </Button>
        <Button variant="secondary" asChild>
          <Link to={paths.questEdit(quest.id)}>
            <Pencil aria-hidden="true" />
            Edit Quest
          </Link>
        </Button>
      </div>
      <LatePart
        pending={
          <>
            <Skeleton shape="card" className="h-192 sm:h-132" />
            <Skeleton shape="card" className="h-72" />
          </>
        }
      >
        <OwnerAnalytics quest={quest} tasks={tasks} />
      </LatePart>
    </section>
  );
}

/** Records a member's first view of a quest that they have not started. Fire-and-forget; failures are ignored. */
function useFirstView({ quest, viewer, userId, submissions }: QuestView) {
  const { mutate } = useRecordQuestView();
  const { data: profile } = useQuery({ ...accountQueries.profile(userId ?? ''), enabled: userId !== null });
  // Of somebody who is suspended, or whom the database does not know yet, it would be refused.
  const mayTakePart = profile && !profile.suspended_at;
  const isNew = mayTakePart && viewer === 'participant' && quest.status === 'published' && submissions.length === 0;
  useEffect(() => {
    if (isNew) mutate(quest.id);
  }, [isNew, quest.id, mutate]);
}

/** Skeleton of the quest page. */
function QuestSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-6 py-8">
      <VisuallyHidden>
        <span role="status">Loading quest</span>
      </VisuallyHidden>
      <Skeleton className="h-5 w-24" />
      <Skeleton className="h-10 w-3/4" />
      <div className="grid gap-6 lg:grid-cols-[1fr_20rem]">
        <div className="grid gap-4">
          <Skeleton shape="card" className="h-44" />
          <Skeleton shape="card" className="h-44" />
        </div>
        <Skeleton shape="card" className="h-56" />
      </div>
    </div>
  );
}

/** What visitors see in place of proof buttons (QUEST-10). Signing up leads back to this quest. */
function JoinBanner({ questId }: { questId: string }) {
  return (
    <Card as="section" aria-labelledby="join-quest" tone="action" className="grid gap-4">
      <div>
        <h2 id="join-quest" className="text-xl">
          Join to take part
        </h2>
        <p>Joining is free. Do the tasks below, send proof, and redeem your points for rewards.</p>
      </div>
      <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
        <MainAction>
          <Button asChild>
            <Link to={paths.signUp({ redirect: paths.communityQuest(questId) })}>Join Community</Link>
          </Button>
        </MainAction>
        <Button variant="secondary" asChild>
          <Link to={paths.rewards}>See Rewards</Link>
        </Button>
      </div>
    </Card>
  );
}

/** Back link, title, and the terms that matter for taking part. */
function QuestHeader({ view }: { view: QuestView }) {
  const { quest, tasks, viewer } = view;
  const isFull = tasks.length > 0 && quest.is_full;
  const schedule = scheduleText(quest);
  const savedIds = useSavedQuestIds();
  return (
    <>
      <PageHeader
        back={{ to: viewer === 'visitor' ? paths.browse() : paths.community, label: 'Back' }}
        title={quest.title}
        lead={leadText(view)}
      />
      <div className="-mt-2 mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
        {quest.status !== 'published' && <StatusBadge status={statusLabel(quest)} />}
        {quest.status === 'published' && isFull && <StatusBadge status="Quest Full" />}
        {schedule && <span className="font-semibold">{schedule}</span>}
        {quest.published_at && <span className="text-muted">Published {formatAge(quest.published_at)}</span>}
        {viewer !== 'owner' && quest.status === 'published' && (
          <div className="-my-2 -mr-4 ml-auto">
            <SaveQuestButton quest={quest} isStored={savedIds.includes(quest.id)} />
          </div>
        )}
      </div>
      {tasks.length > 0 && <QuestTerms view={view} />}
    </>
  );
}

/** What happens to a proof: the current review promise (BEY-22). */
const afterwards = (hours: number | null) =>
  hours === null
    ? 'Approved and paid at once'
    : `Reviewed within ${formatHours(hours)}, or approved and paid automatically`;

/** The reward and its terms, from the quest's current data, never from its text (C-71). */
function QuestTerms({ view: { quest, tasks, submissions } }: { view: QuestView }) {
  const { data: settings } = useQuery(settingsQueries.app());
  // Also in the beta: another proof after an approval that was taken back, or one that the project cannot pay yet.
  const isWaiting = submissions.some(({ status }) => status === 'pending');
  // The same figure as on the card: what one member can still earn (C-70).
  const { open_reward_points: points, custom_reward_title: custom } = quest;
  const time = timeNeeded(quest);
  return (
    // The last term has a row of its own on phones, so that nothing shifts when a short sentence replaces its skeleton. The content
    // that the host sends has the same class (lib/head/page-body.ts).
    <dl className="mb-6 flex flex-wrap gap-x-8 gap-y-3 border-y py-4 max-lg:*:last:basis-full">
      {(points > 0 || custom) && (
        <Term label="Reward per person">
          {points > 0 && <Points value={points} />}
          {custom && (
            <span className="inline-flex items-center gap-1.5">
              {points > 0 && '+'}
              <Gift aria-hidden="true" className="size-4 text-action" />
              {custom}
            </span>
          )}
          <span className="font-normal text-muted">{formatCount(tasks.length, 'task')}</span>
        </Term>
      )}
      {time && (
        <Term label="Time needed">
          <span className="first-letter:uppercase">{time}</span>
          <span className="font-normal text-muted">typically</span>
        </Term>
      )}
      <Term label="Distribution">First come, first served</Term>
      <Term label="Max participants">
        {formatCount(Math.max(...tasks.map((task) => task.max_completions)), 'person', 'people')}
      </Term>
      <Term label="Review">
        {settings ? (
          afterwards(isWaiting ? quest.review_hours : promisedHours(tasks, quest.review_hours, settings.beta_mode))
        ) : (
          <Skeleton className="h-5 w-72" />
        )}
      </Term>
    </dl>
  );
}

function Term({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="flex flex-wrap items-center gap-x-2 font-semibold">{children}</dd>
    </div>
  );
}

/** The project's description of the quest and its custom reward; nothing without either. */
function QuestAbout({ view }: { view: QuestView }) {
  const details = aboutText(view);
  const { custom_reward_title: title, custom_reward_description: description } = view.quest;
  const hasReward = Boolean(title && description);
  if (!details && !hasReward) return null;
  return (
    <Card as="section" aria-labelledby="about-quest" className="grid gap-3">
      <h2 id="about-quest" className="text-xl">
        About this quest
      </h2>
      {details && <Markdown text={details} />}
      {hasReward && (
        <div>
          <h3 className="text-lg">{title}</h3>
          <p className="dir-auto whitespace-pre-line">{description}</p>
        </div>
      )}
    </Card>
  );
}

/** Whose quest it is (QUEST-03). */
function ProjectCard({ project }: { project: Project }) {
  return (
    <Card as="section" aria-label="Project" className="grid gap-3">
      <div className="flex items-center gap-3">
        <ProjectLogo name={project.name} logoUrl={project.logo_url} />
        <div className="min-w-0">
          <Link
            to={paths.project(project.id)}
            className="inline-flex min-h-11 items-center font-bold font-display text-lg leading-tight [overflow-wrap:anywhere] hover:underline"
          >
            {project.name}
          </Link>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {project.status === 'verified' && (
          <Badge tone="action">
            <BadgeCheck aria-hidden="true" />
            Verified
          </Badge>
        )}
        <Badge>{project.industry}</Badge>
      </div>
      {project.description && <p className="dir-auto line-clamp-4 text-muted">{project.description}</p>}
      {project.website && (
        <a
          href={project.website}
          target="_blank"
          rel="noopener nofollow"
          className="inline-flex min-h-11 items-center gap-2 font-medium text-action underline underline-offset-4"
        >
          Visit website
          <ExternalLink aria-hidden="true" className="size-4" />
        </a>
      )}
    </Card>
  );
}
