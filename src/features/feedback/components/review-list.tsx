import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Stars } from '@/components/star-rating';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { useSession } from '@/lib/auth';
import { formatDate } from '@/lib/format';
import { feedbackQueries, type ProjectFeedbackEntry } from '../queries';

/** The reviews, newest first. Names are not shown; one's own review is marked. */
export function ReviewList({ startupId }: { startupId: string }) {
  const { userId } = useSession();
  const reviews = useInfiniteQuery(feedbackQueries.project(startupId));
  const own = useQuery({ ...feedbackQueries.own(startupId, userId ?? ''), enabled: userId !== null });
  const entries = reviews.data?.pages.flat() ?? [];

  if (reviews.isPending) return <ReviewSkeletons />;
  if (reviews.isError && !reviews.data) {
    return (
      <ErrorState
        title="The reviews could not be loaded"
        error={reviews.error}
        onRetry={() => reviews.refetch()}
        isRetrying={reviews.isFetching}
      />
    );
  }
  if (entries.length === 0) {
    return (
      <EmptyState level={3} title="No feedback yet" text="Tried it? A line from you helps the people behind it." />
    );
  }
  return (
    <>
      <ul className="grid gap-3">
        {entries.map((entry) => (
          <Review key={entry.id} entry={entry} isOwn={entry.id === own.data?.id} />
        ))}
      </ul>
      {reviews.hasNextPage && (
        <Button
          variant="secondary"
          className="justify-self-center"
          isLoading={reviews.isFetchingNextPage}
          onClick={() => reviews.fetchNextPage()}
        >
          Show more reviews
        </Button>
      )}
    </>
  );
}

function Review({ entry, isOwn }: { entry: ProjectFeedbackEntry; isOwn: boolean }) {
  return (
    <Card as="li" className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars value={entry.rating} />
        <time dateTime={entry.created_at} className="text-muted text-sm">
          {formatDate(entry.created_at)}
        </time>
        {isOwn && <Badge tone="action">Your review</Badge>}
      </div>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{entry.feedback_text}</p>
    </Card>
  );
}

function ReviewSkeletons() {
  return (
    <ul aria-busy="true" aria-label="Loading reviews" className="grid gap-3">
      {['a', 'b', 'c'].map((key) => (
        <Card as="li" key={key} className="grid gap-3">
          <Skeleton className="w-40" />
          <Skeleton />
        </Card>
      ))}
    </ul>
  );
}
