import { Stars } from '@/components/star-rating';
import { Card } from '@/components/ui/card';
import { Meter } from '@/components/ui/progress';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCount } from '@/lib/format';
import type { FeedbackStats } from '../stats';

const stars = ['5', '4', '3', '2', '1'] as const;

/** The average large, and how the ratings spread as bars (FEED-09). */
export function RatingSummary({ stats, isLoading }: { stats: FeedbackStats; isLoading: boolean }) {
  const { averageRating, totalReviews, ratingDistribution } = stats;
  return (
    <Card aria-busy={isLoading} className="grid gap-4">
      <div className="flex items-center gap-4">
        {isLoading ? (
          <Skeleton className="h-12 w-16" />
        ) : (
          <p className="font-bold font-display text-5xl leading-none tabular-nums">{averageRating.toFixed(1)}</p>
        )}
        <div className="grid">
          <Stars value={averageRating} />
          <p className="text-muted text-sm">{isLoading ? 'Loading ratings' : formatCount(totalReviews, 'review')}</p>
        </div>
      </div>
      <ul className="grid gap-2">
        {stars.map((star) => {
          const count = ratingDistribution[star];
          const label = star === '1' ? '1 star' : `${star} stars`;
          return (
            <li key={star} className="grid grid-cols-[3.5rem_1fr_2rem] items-center gap-2 text-sm">
              <span aria-hidden="true">{label}</span>
              <Meter
                label={label}
                value={count}
                max={Math.max(totalReviews, 1)}
                valueText={formatCount(count, 'review')}
                tone="points"
              />
              <span aria-hidden="true" className="text-right text-muted tabular-nums">
                {count}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
