import { formatCount, formatDate } from '@/lib/format';
import type { DayCount } from '../participation';

/** Submissions per day as bars. The sentence under it says the same in words. */
export function ParticipationChart({ days }: { days: DayCount[] }) {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const best = days.reduce<DayCount | null>((top, day) => (day.count > (top?.count ?? 0) ? day : top), null);
  return (
    <figure className="grid gap-2">
      <figcaption className="font-semibold">Submissions per day</figcaption>
      <div aria-hidden="true" className="flex h-28 items-end gap-px border-b sm:gap-1">
        {days.map(({ day, count }) => (
          <div
            key={day}
            title={`${formatDate(`${day}T12:00:00`)}: ${formatCount(count, 'submission')}`}
            className="flex h-full grow items-end"
          >
            <div className="w-full rounded-t-sm bg-action" style={{ height: `${(count / most) * 100}%` }} />
          </div>
        ))}
      </div>
      <p className="text-muted text-sm">
        {formatCount(total, 'submission')} in {days.length} days
        {best && `, most on ${formatDate(`${best.day}T12:00:00`)} (${best.count})`}
      </p>
    </figure>
  );
}
