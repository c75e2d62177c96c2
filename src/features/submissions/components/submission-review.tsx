import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { toast } from '@/components/ui/toast';
import type { Task } from '@/features/campaigns';
import { cn } from '@/lib/cn';
import { type Decision, useReviewSubmission } from '../mutations';
import { type Submission, submissionQueries } from '../queries';
import { SubmissionDialog } from './submission-dialog';
import { SubmissionTable } from './submission-table';

/** Notes that a review carries when the owner gives none (SUBM-09). */
const defaultNotes = { approve: 'Approved by project owner', reject: 'Rejected by project owner' } as const;
const doneMessages = { approve: 'Submission approved', reject: 'Submission rejected' } as const;

type SubmissionReviewProps = { campaignId: string; tasks: Task[]; taskId: string | null };

/** The list of submissions with their review; `taskId` null shows those of all tasks. */
export function SubmissionReview({ campaignId, tasks, taskId }: SubmissionReviewProps) {
  const list = useInfiniteQuery(submissionQueries.byCampaign(campaignId, { taskId }));
  const review = useReviewSubmission();
  const [opened, setOpened] = useState<{ id: string; isRejecting: boolean } | null>(null);

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
  const submissions = list.data.pages.flat();
  if (submissions.length === 0) {
    return (
      <EmptyState
        title="No submissions yet"
        text={taskId ? 'No submissions for this task' : 'No submissions for this quest yet'}
      />
    );
  }

  const open = (isRejecting: boolean) => (submission: Submission) => {
    review.reset();
    setOpened({ id: submission.id, isRejecting });
  };
  const decide = (submission: Submission, decision: Decision, note = '') => {
    review.mutate(
      { submissionId: submission.id, decision, note: note || defaultNotes[decision] },
      {
        onSuccess: () => {
          toast.success(doneMessages[decision]);
          setOpened(null);
        },
        // The dialog has room for the reason: the project may be short of points.
        onError: () => setOpened({ id: submission.id, isRejecting: decision === 'reject' }),
      },
    );
  };
  const shown = submissions.find(({ id }) => id === opened?.id);
  const reviewingId = review.isPending ? review.variables.submissionId : null;

  return (
    <div className="grid gap-5">
      <div className={cn(list.isPlaceholderData && 'opacity-60')} aria-busy={list.isPlaceholderData}>
        <SubmissionTable
          submissions={submissions}
          tasks={tasks}
          reviewingId={reviewingId}
          onView={open(false)}
          onReject={open(true)}
          onApprove={(submission) => decide(submission, 'approve')}
        />
      </div>
      {list.hasNextPage && (
        <Button
          variant="secondary"
          className="justify-self-center"
          isLoading={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage()}
        >
          Show more submissions
        </Button>
      )}
      {shown && (
        <SubmissionDialog
          key={`${shown.id}${opened?.isRejecting}`}
          submission={shown}
          task={tasks.find(({ id }) => id === shown.task_id)}
          startsRejecting={opened?.isRejecting ?? false}
          isReviewing={reviewingId === shown.id}
          error={review.variables?.submissionId === shown.id ? review.error : null}
          onApprove={() => decide(shown, 'approve')}
          onReject={(reason) => decide(shown, 'reject', reason)}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}
