import { formatDate, formatPoints } from '@/lib/format';
import type { PayoutDay } from '../points-series';

const gap = 0.25;
const height = 100;

function inWords(days: readonly PayoutDay[], total: number): string {
  const best = days.reduce<PayoutDay | undefined>(
    (top, day) => (day.points > (top?.points ?? 0) ? day : top),
    undefined,
  );
  const most = best ? `, most on ${formatDate(`${best.day}T12:00:00Z`)}: ${formatPoints(best.points)}` : '';
  return `${formatPoints(total)} points went to members in the last ${days.length} days${most}.`;
}

/** Points paid to members per day as bars, with the whole in words. */
export function PayoutChart({ days }: { days: readonly PayoutDay[] }) {
  const total = days.reduce((sum, { points }) => sum + points, 0);
  const top = Math.max(...days.map(({ points }) => points), 1);
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure className="grid gap-2">
      <figcaption>{inWords(days, total)}</figcaption>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        className="h-32 w-full border-b"
      >
        {days.map(({ day, points }, index) => (
          <rect
            key={day}
            x={index + gap / 2}
            width={1 - gap}
            y={height * (1 - points / top)}
            height={height * (points / top)}
            className="fill-action hover:fill-action-strong"
          >
            <title>{`${formatDate(`${day}T12:00:00Z`)}: ${formatPoints(points)} points`}</title>
          </rect>
        ))}
      </svg>
      {first && last && (
        <div aria-hidden="true" className="flex justify-between text-muted text-sm">
          <span>{formatDate(`${first.day}T12:00:00Z`)}</span>
          <span>{formatDate(`${last.day}T12:00:00Z`)}</span>
        </div>
      )}
    </figure>
  );
}
