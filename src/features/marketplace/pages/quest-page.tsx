import { ArrowUp, BadgeCheck, ExternalLink, FlaskConical, Gift } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { Markdown } from '@/components/markdown';
import { PageHeader, StickyAction } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatusBadge } from '@/components/status-badge';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Progress } from '@/components/ui/progress';
import { Skeleton } from '@/components/ui/skeleton';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { type Project, ProjectLogo } from '@/features/projects';
import type { Quest } from '@/features/quests';
import { useIsBeta } from '@/features/settings';
import { formatAge, formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';
import { OwnerPanel } from '../components/owner-panel';
import { TaskList } from '../components/quest-tasks';
import { type QuestProgress, questProgress, taskAnchor } from '../quest-progress';
import { type QuestView, useQuest } from '../use-quest';

/** A quest, for visitors (/browse/quest, /quest), members and its owner (/community/quest) (ROUTE-02, ROUTE-04). */
export default function QuestPage() {
  const { id = '' } = useParams();
  const { needed, isMissing, view } = useQuest(id);
  if (isMissing) return <QuestNotFound />;
  return (
    <div className="page-column pb-16">
      {!view && <PageMeta title="Quest" />}
      <QueryView
        query={needed}
        failure="The quest could not be loaded"
        failureClassName="py-10"
        isWaiting={!view}
        pending={<QuestSkeleton />}
      >
        {() => view && <QuestScreen view={view} />}
      </QueryView>
    </div>
  );
}

function QuestNotFound() {
  return (
    <CenteredMessage>
      <PageMeta title="Quest Not Found" />
      <h1 className="text-3xl">Quest Not Found</h1>
      <p className="text-muted">It may have been taken down, or the address is mistyped.</p>
      <Button asChild>
        <Link to={paths.community}>Back to Quest Feed</Link>
      </Button>
    </CenteredMessage>
  );
}

/** Brings a task into view and puts the keyboard there, too. */
function goToTask(taskId: string): void {
  const card = document.getElementById(taskAnchor(taskId));
  card?.scrollIntoView({ behavior: 'smooth', block: 'start' });
  card?.focus({ preventScroll: true });
}

/** The quest for its current viewer: the tasks in the middle, the project and the viewer's own progress beside them. */
function QuestScreen({ view }: { view: QuestView }) {
  const { quest, project, viewer } = view;
  const progress = questProgress(view.tasks, view.submissions);

  return (
    <article>
      <PageMeta title={quest.title} description={quest.summary} />
      <QuestHeader view={view} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-6">
          {viewer === 'visitor' && <JoinBanner questId={quest.id} />}
          {viewer === 'owner' && <OwnerPanel quest={quest} tasks={view.tasks} />}
          <QuestAbout quest={quest} />
          <TaskList view={view} />
          {viewer === 'participant' && view.tasks.length > 0 && (
            <QuestEndCard
              isComplete={progress.isComplete}
              onContinue={() => progress.nextTaskId && goToTask(progress.nextTaskId)}
            />
          )}
        </div>
        {/* On phones its parts stand on their own: progress before the tasks, the project after them. */}
        <aside aria-label="Beside the tasks" className="gap-6 max-lg:contents lg:sticky lg:top-20 lg:grid">
          {viewer === 'participant' && <ProgressCard progress={progress} />}
          {project && <ProjectCard project={project} />}
        </aside>
      </div>
    </article>
  );
}

/** A quest's page on its way. */
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
          <Skeleton className="h-44 rounded-card" />
          <Skeleton className="h-44 rounded-card" />
        </div>
        <Skeleton className="h-56 rounded-card" />
      </div>
    </div>
  );
}

/** What visitors see in place of proof buttons (QUEST-10). Signing up leads back to this quest. */
function JoinBanner({ questId }: { questId: string }) {
  return (
    <Card as="section" aria-labelledby="join-quest" className="grid gap-4 border-action bg-action-soft">
      <div>
        <h2 id="join-quest" className="text-xl">
          Join to take part
        </h2>
        <p>Membership is free. Prove the tasks below, earn points and redeem them for rewards.</p>
      </div>
      <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
        <Button asChild>
          <Link to={paths.signUp({ redirect: paths.communityQuest(questId) })}>Join Community</Link>
        </Button>
        <Button variant="secondary" asChild>
          <Link to={paths.rewards}>See Rewards</Link>
        </Button>
      </div>
    </Card>
  );
}

/** Way back, title, and the facts that decide whether to take part. */
function QuestHeader({ view: { quest, tasks, viewer } }: { view: QuestView }) {
  // The same figure as on its card: what one member can still earn (C-70).
  const points = quest.open_reward_points;
  const isFull = tasks.length > 0 && quest.is_full;
  return (
    <>
      <PageHeader
        back={viewer === 'visitor' ? { to: paths.browse(), label: 'Back' } : { to: paths.community, label: 'Back' }}
        title={quest.title}
        lead={quest.summary}
      />
      <div className="-mt-2 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        {quest.status === 'draft' && <StatusBadge status="Draft" />}
        {quest.status === 'closed' && <StatusBadge status="Closed" />}
        {quest.status === 'published' && isFull && <StatusBadge status="Quest Full" />}
        {(points > 0 || !(quest.custom_reward_title || isFull)) && <Points value={points} className="text-lg" />}
        {quest.custom_reward_title && (
          <span className="inline-flex items-center gap-1.5 font-semibold">
            <Gift aria-hidden="true" className="size-4 text-action" />
            {quest.custom_reward_title}
          </span>
        )}
        <span className="text-muted">{formatCount(tasks.length, 'task')}</span>
        {quest.published_at && <span className="text-muted">Published {formatAge(quest.published_at)}</span>}
      </div>
    </>
  );
}

/** The project's own words on the quest, and its reward beside points; nothing when it gave none. */
function QuestAbout({ quest }: { quest: Quest }) {
  const { details_md: details, custom_reward_title: title, custom_reward_description: description } = quest;
  if (!details && !description) return null;
  return (
    <Card as="section" aria-labelledby="about-quest" className="grid gap-3">
      <h2 id="about-quest" className="text-xl">
        About this quest
      </h2>
      {details && <Markdown text={details} />}
      {title && description && (
        <div>
          <h3 className="text-lg">{title}</h3>
          <p className="whitespace-pre-line">{description}</p>
        </div>
      )}
    </Card>
  );
}

/** How far the member has come (QUEST-08). */
function ProgressCard({ progress }: { progress: QuestProgress }) {
  const { done, total, earned, isComplete } = progress;
  const isBeta = useIsBeta();
  const text = `${done} of ${formatCount(total, 'task')}`;
  return (
    <Card as="section" aria-labelledby="your-progress" className="grid gap-3 max-lg:order-first">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="your-progress" className="text-xl">
          Your Progress
        </h2>
        {isBeta && (
          <Badge tone="points">
            <FlaskConical aria-hidden="true" />
            BETA MODE
          </Badge>
        )}
      </div>
      <Progress label="Your progress" value={done} max={Math.max(total, 1)} valueText={text} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-muted tabular-nums">{text}</span>
        <span className="inline-flex items-center gap-1.5">
          <Points value={earned} /> earned
        </span>
      </div>
      {isComplete && <StatusBadge status="Quest Complete" className="animate-stamp justify-self-start" />}
    </Card>
  );
}

type QuestEndCardProps = { isComplete: boolean; onContinue: () => void };

/** What comes after the last task: the next quest, or the first task still open (QUEST-09). */
function QuestEndCard({ isComplete, onContinue }: QuestEndCardProps) {
  if (!isComplete) {
    return (
      <StickyAction>
        <Button onClick={onContinue}>
          <ArrowUp aria-hidden="true" />
          Continue Quest
        </Button>
      </StickyAction>
    );
  }
  return (
    <Card as="section" aria-labelledby="quest-complete" className="grid justify-items-start gap-4 border-action">
      <div>
        <h2 id="quest-complete" className="text-2xl">
          Quest Complete
        </h2>
        <p className="text-muted">All tasks are done and your points are in your wallet.</p>
      </div>
      <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:[&>*]:grow">
        <Button asChild>
          <Link to={paths.community}>Find More Quests</Link>
        </Button>
        <Button variant="secondary" asChild>
          <Link to={paths.rewards}>View Wallet</Link>
        </Button>
      </div>
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
            className="inline-flex min-h-11 items-center font-bold font-display text-lg leading-tight hover:underline"
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
      {project.description && <p className="line-clamp-4 text-muted">{project.description}</p>}
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
