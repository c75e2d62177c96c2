import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { EmptyState, NotAuthenticated } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { QueryView } from '@/components/query-view';
import { StatCards } from '@/components/stat-cards';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { type Project, projectQueries } from '@/features/projects';
import { type Quest, questQueries, type Task } from '@/features/quests';
import { useSession } from '@/lib/auth';
import { formatCount, formatDate, formatNumber } from '@/lib/format';
import { isUuid, paths } from '@/lib/paths';
import { useUrlText } from '@/lib/url-state';
import { ReviewDesk } from '../components/review-desk';
import { SubmissionsCsv, submissionColumns, submissionFileName } from '../components/submissions-csv';
import { allOfQuest, submissionQueries } from '../queries';

/** The page on which a quest's owner reviews submissions (ROUTE-11, SUBM-01..10). */
export default function SubmissionsPage() {
  const { id = '' } = useParams();
  const session = useSession();
  // An invalid id in the URL must not become a database error.
  const isPossible = isUuid(id);
  const quest = useQuery({ ...questQueries.detailLive(id), enabled: isPossible });
  const tasks = useQuery({ ...questQueries.tasks(id), enabled: isPossible });
  const project = useQuery({ ...projectQueries.own(session.userId ?? ''), enabled: session.userId !== null });

  if (session.status === 'signed-out') return <NotAuthenticated />;
  if (!isPossible || quest.data === null) return <QuestNotFound />;

  return (
    <>
      <PageMeta title="Submissions" />
      <QueryView
        query={[quest, tasks, project]}
        failure="The quest could not be loaded"
        failureClassName="page-column py-10"
        isWaiting={session.status === 'loading'}
        pending={
          <div className="page-column grid justify-items-center py-20">
            <Spinner label="Loading submissions..." />
          </div>
        }
      >
        {([loadedQuest, loadedTasks, owner]) =>
          // For a clear message only: row-level security hides the submissions from others anyway (SUBM-02).
          loadedQuest && owner?.id === loadedQuest.startup_id ? (
            <Submissions key={loadedQuest.id} quest={loadedQuest} tasks={loadedTasks} project={owner} />
          ) : (
            <Navigate to={paths.founder} replace />
          )
        }
      </QueryView>
    </>
  );
}

function Submissions({ quest, tasks, project }: { quest: Quest; tasks: Task[]; project: Project }) {
  const [task, setTask] = useUrlText('task');
  const taskId = tasks.find(({ id }) => id === task)?.id ?? null;
  const counts = useQuery(submissionQueries.counts());
  return (
    <div className="page-column pb-16">
      <PageMeta title={`Submissions: ${quest.title}`} />
      <PageHeader
        back={{ to: paths.founder, label: 'Back to Dashboard' }}
        title={quest.title}
        lead={`${project.name} · ${formatCount(quest.submission_count, 'submission')}`}
        actions={
          <SubmissionsCsv
            filters={{ ...allOfQuest(quest.id), taskId }}
            columns={submissionColumns}
            fileName={() => submissionFileName(quest.title)}
          />
        }
      />
      <div className="grid gap-6">
        <SubmissionStats quest={quest} />
        <TaskFilter
          tasks={tasks}
          total={quest.submission_count}
          selected={taskId}
          onSelect={(next) => setTask(next ?? '')}
        />
        <ReviewDesk
          questId={quest.id}
          taskId={taskId}
          counts={counts.data ?? []}
          empty={
            <EmptyState
              title="No submissions yet"
              text={taskId ? 'No submissions for this task' : 'No submissions for this quest yet'}
            />
          }
        />
      </div>
    </div>
  );
}

function QuestNotFound() {
  return (
    <CenteredMessage>
      <PageMeta title="Quest Not Found" />
      <h1 className="text-3xl">Quest Not Found</h1>
      <p className="text-muted">It may have been deleted, or the address may be wrong.</p>
      <Button asChild>
        <Link to={paths.founder}>Back to Dashboard</Link>
      </Button>
    </CenteredMessage>
  );
}

/** The four figures above the list (SUBM-03). */
function SubmissionStats({ quest }: { quest: Quest }) {
  return (
    <StatCards
      label="Figures of the quest"
      stats={[
        {
          label: 'Total Submissions',
          value: formatNumber(quest.submission_count),
          note: 'Approved, waiting and rejected',
        },
        {
          label: 'Tasks',
          value: formatNumber(quest.task_count),
          note: 'Each member can complete each of them once',
        },
        { label: 'Approved', value: formatNumber(quest.approved_count), note: 'Proofs that were accepted and paid' },
        {
          label: 'Published',
          value: quest.published_at ? <span data-long>{formatDate(quest.published_at)}</span> : 'Draft',
          note: 'The last time it went live',
        },
      ]}
    />
  );
}

type TaskFilterProps = {
  tasks: Task[];
  total: number;
  selected: string | null;
  onSelect: (taskId: string | null) => void;
};

/** One button per task with its count; hidden for a single task (SUBM-04). */
function TaskFilter({ tasks, total, selected, onSelect }: TaskFilterProps) {
  const counts = useQuery({ ...submissionQueries.taskTotals(tasks.map(({ id }) => id)), enabled: tasks.length > 1 });
  if (tasks.length < 2) return null;
  const choices = [
    { id: null, label: 'All Tasks', count: total },
    ...tasks.map(({ id, title }) => ({ id, label: title, count: counts.data?.[id] })),
  ];
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">Filter by Task</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ id, label, count }) => (
          <Button
            key={id}
            variant={id === selected ? 'primary' : 'secondary'}
            aria-pressed={id === selected}
            onClick={() => onSelect(id)}
          >
            {label} {count !== undefined && `(${formatNumber(count)})`}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
