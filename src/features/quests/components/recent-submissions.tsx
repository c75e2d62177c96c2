import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '@/components/error-state';
import { StatusStamp } from '@/components/status-stamp';
import { Skeleton } from '@/components/ui/skeleton';
import type { Task } from '@/features/campaigns';
import { proofPreview, reviewStamp, submissionQueries } from '@/features/submissions';
import { formatAge } from '@/lib/format';

/** The latest three submissions of an own quest. */
export function RecentSubmissions({ campaignId, tasks }: { campaignId: string; tasks: Task[] }) {
  const recent = useQuery(submissionQueries.recent(campaignId));
  if (recent.isPending) return <Skeleton className="h-24" />;
  if (recent.isError && !recent.data) {
    return (
      <ErrorState
        title="The submissions could not be loaded"
        error={recent.error}
        onRetry={() => recent.refetch()}
        isRetrying={recent.isFetching}
      />
    );
  }
  if (recent.data.length === 0) return <p className="text-muted">Nobody has submitted a proof yet.</p>;
  const titles = new Map(tasks.map((task) => [task.id, task.title]));
  return (
    <ul className="divide-y">
      {recent.data.map((submission) => (
        <li key={submission.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
          <span className="min-w-0">
            <span className="block truncate font-medium">{titles.get(submission.task_id) ?? 'Unknown Task'}</span>
            <span className="text-muted text-sm">
              {proofPreview(submission)} · {formatAge(submission.submitted_at)}
            </span>
          </span>
          <StatusStamp status={reviewStamp[submission.status]} />
        </li>
      ))}
    </ul>
  );
}
