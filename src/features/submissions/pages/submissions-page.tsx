import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from 'react-router-dom';
import { ErrorState } from '@/components/error-state';
import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { PinnedNote } from '@/components/pinned-note';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { type Campaign, campaignQueries, type Task } from '@/features/campaigns';
import { type Startup, startupQueries } from '@/features/startups';
import { useSession } from '@/lib/auth';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';
import { poll } from '@/lib/query-client';
import { useUrlText } from '@/lib/url-state';
import { isUuid } from '@/lib/uuid';
import { CsvButton } from '../components/csv-button';
import { SubmissionReview } from '../components/submission-review';
import { SubmissionStats } from '../components/submission-stats';
import { TaskFilter } from '../components/task-filter';

/** Where a quest's owner reviews what members have sent (ROUTE-11, SUBM-01..10). */
export default function SubmissionsPage() {
  const { id = '' } = useParams();
  const session = useSession();
  // An address that no quest can have must not become a database error.
  const isPossible = isUuid(id);
  const campaign = useQuery({ ...campaignQueries.detail(id), ...poll(60), enabled: isPossible });
  const tasks = useQuery({ ...campaignQueries.tasks(id), enabled: isPossible });
  const startup = useQuery({
    ...startupQueries.detail(campaign.data?.startup_id ?? ''),
    enabled: Boolean(campaign.data),
  });

  if (session.status === 'signed-out') return <NotAuthenticated />;
  if (!isPossible || campaign.data === null) return <CampaignNotFound />;

  const needed = [campaign, tasks, startup];
  const failed = needed.find((query) => query.isError && query.data === undefined);
  if (failed) {
    return (
      <div className="page-column py-10">
        <PageMeta title="Submissions" />
        <ErrorState
          title="The quest could not be loaded"
          error={failed.error}
          onRetry={() => needed.filter((query) => query.isError).map((query) => query.refetch())}
          isRetrying={needed.some((query) => query.isError && query.isFetching)}
        />
      </div>
    );
  }
  if (session.status === 'loading' || !campaign.data || !tasks.data || startup.data === undefined) {
    return (
      <div className="page-column grid justify-items-center py-20">
        <PageMeta title="Submissions" />
        <Spinner label="Loading submissions..." />
      </div>
    );
  }
  // Only a courtesy: the database shows a stranger no submissions (SUBM-02).
  if (startup.data?.owner_user_id !== session.userId) return <Navigate to={paths.startup} replace />;
  return <Submissions campaign={campaign.data} tasks={tasks.data} startup={startup.data} />;
}

function Submissions({ campaign, tasks, startup }: { campaign: Campaign; tasks: Task[]; startup: Startup }) {
  const [task, setTask] = useUrlText('task');
  const taskId = tasks.find(({ id }) => id === task)?.id ?? null;
  return (
    <div className="page-column pb-16">
      <PageMeta title={`Submissions: ${campaign.title}`} />
      <PageHeader
        back={{ to: paths.startup, label: 'Back to Dashboard' }}
        title={campaign.title}
        lead={`${startup.name} · ${formatCount(campaign.submission_count, 'submission')}`}
        actions={<CsvButton campaign={campaign} tasks={tasks} taskId={taskId} />}
      />
      <div className="grid gap-6">
        <SubmissionStats campaign={campaign} />
        <TaskFilter
          tasks={tasks}
          total={campaign.submission_count}
          selected={taskId}
          onSelect={(next) => setTask(next ?? '')}
        />
        <SubmissionReview campaignId={campaign.id} tasks={tasks} taskId={taskId} />
      </div>
    </div>
  );
}

function CampaignNotFound() {
  return (
    <PinnedNote>
      <PageMeta title="Campaign Not Found" />
      <h1 className="text-3xl">Campaign Not Found</h1>
      <p className="text-muted">It may have been deleted, or the address is mistyped.</p>
      <Button asChild>
        <Link to={paths.startup}>Back to Dashboard</Link>
      </Button>
    </PinnedNote>
  );
}
