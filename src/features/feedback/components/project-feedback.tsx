import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { ErrorState } from '@/components/error-state';
import { feedbackQueries } from '../queries';
import { noFeedbackStats } from '../stats';
import { RatingSummary } from './rating-summary';
import { ReviewList } from './review-list';
import { ReviewPanel } from './review-panel';

/**
 * What members say about a project: average and distribution, one's own rating, the reviews (FEED-06..09). What fails to
 * load counts as none and says that it failed (TRUST-14).
 */
export function ProjectFeedback({ startupId }: { startupId: string }) {
  const stats = useQuery(feedbackQueries.projectStats(startupId));
  const titleId = useId();

  return (
    <section aria-labelledby={titleId} className="grid gap-5">
      <h2 id={titleId} className="text-2xl">
        Feedback
      </h2>
      <div className="grid items-start gap-5 lg:grid-cols-[20rem_1fr]">
        <div className="grid gap-3">
          <RatingSummary stats={stats.data ?? noFeedbackStats} isLoading={stats.isPending} />
          {stats.isError && !stats.data && (
            <ErrorState
              title="The ratings could not be loaded"
              error={stats.error}
              onRetry={() => stats.refetch()}
              isRetrying={stats.isFetching}
            />
          )}
        </div>
        <div className="grid gap-5">
          <ReviewPanel startupId={startupId} />
          <ReviewList startupId={startupId} />
        </div>
      </div>
    </section>
  );
}
