import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Spinner } from '@/components/ui/spinner';
import type { Task } from '@/features/campaigns';
import { useUrlChoice } from '@/lib/url-state';
import { submissionQueries } from '../queries';
import { submissionSorts } from '../submission-order';
import { ReviewList } from './review-list';

type SubmissionReviewProps = { campaignId: string; tasks: Task[]; taskId: string | null };

/** The list of submissions with their review; `taskId` null shows those of all tasks. */
export function SubmissionReview({ campaignId, tasks, taskId }: SubmissionReviewProps) {
  const [sort, setSort] = useUrlChoice('sort', submissionSorts);
  const taskIds = tasks.map(({ id }) => id);
  const list = useInfiniteQuery(submissionQueries.byCampaign(campaignId, { taskId, sort, taskIds }));

  if (list.isPending) return <Spinner label="Loading submissions..." />;
  if (list.isError && !list.data) {
    return (
      <ErrorState
        title="The submissions could not be loaded"
        error={list.error}
        onRetry={() => list.refetch()}
        isRetrying={list.isFetching}
      />
    );
  }
  // Somebody else's review can move a row to a later page while that is read; it is then shown once.
  const submissions = [...new Map(list.data.pages.flat().map((row) => [row.id, row])).values()];
  if (submissions.length === 0) {
    return (
      <EmptyState
        title="No submissions yet"
        text={taskId ? 'No submissions for this task' : 'No submissions for this quest yet'}
      />
    );
  }
  return (
    <ReviewList
      submissions={submissions}
      tasks={tasks}
      sort={sort}
      onSort={setSort}
      isStale={list.isPlaceholderData}
      onMore={list.hasNextPage ? () => list.fetchNextPage() : undefined}
      isLoadingMore={list.isFetchingNextPage}
    />
  );
}
