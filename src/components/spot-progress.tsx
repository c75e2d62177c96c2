import { Meter } from '@/components/ui/progress';
import { formatCount, formatNumber } from '@/lib/format';

/** Text with the spots left above a thin meter. `total` 0 means that the number is unknown. */
export function SpotProgress({ left, total }: { left: number; total: number }) {
  const text =
    left <= 0
      ? 'No spots left'
      : total > 0
        ? `${formatNumber(left)} of ${formatCount(total, 'spot')} left`
        : `${formatCount(left, 'spot')} left`;
  return (
    <div className="grid gap-1">
      <span aria-hidden="true" className="text-muted text-sm tabular-nums">
        {text}
      </span>
      <Meter
        label="Spots left"
        value={total > 0 ? Math.min(Math.max(left, 0), total) : Math.min(left, 1)}
        max={Math.max(total, 1)}
        valueText={text}
        className="h-1.5"
      />
    </div>
  );
}
