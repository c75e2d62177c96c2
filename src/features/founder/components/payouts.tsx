import { useQuery } from '@tanstack/react-query';
import { QueryView } from '@/components/query-view';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { type PayoutDay, payoutLimit, payoutsByDay, walletQueries } from '@/features/wallet';
import { formatDate, formatPoints, periodStart } from '@/lib/format';

const days = 30;

/** Chart of the points paid to members over the last 30 days. */
export function Payouts({ ownerId }: { ownerId: string }) {
  const payouts = useQuery(walletQueries.payouts(ownerId, periodStart(days)));
  return (
    <section aria-labelledby="points-out" className="grid gap-4">
      <h2 id="points-out" className="text-2xl">
        Points out
      </h2>
      <QueryView
        query={payouts}
        failure="The payouts could not be loaded"
        pending={<Skeleton shape="card" className="h-56" />}
      >
        {(rows) => (
          <Card>
            <PayoutChart days={payoutsByDay(rows, days)} />
            {rows.length === payoutLimit && (
              <p className="mt-2 text-muted text-sm">Only the latest 1,000 payouts are shown.</p>
            )}
          </Card>
        )}
      </QueryView>
    </section>
  );
}

/** Local noon: a time in UTC would be another day somewhere. */
const dayName = (day: string) => formatDate(`${day}T12:00:00`);

const gap = 0.25;
const height = 100;

function describePayouts(days: readonly PayoutDay[], total: number): string {
  const best = days.reduce<PayoutDay | undefined>(
    (top, day) => (day.points > (top?.points ?? 0) ? day : top),
    undefined,
  );
  const most = best ? `, most on ${dayName(best.day)}: ${formatPoints(best.points)}` : '';
  return `${formatPoints(total)} points went to members in the last ${days.length} days${most}.`;
}

/** Points paid to members per day as bars, with a text summary. */
function PayoutChart({ days }: { days: readonly PayoutDay[] }) {
  const total = days.reduce((sum, { points }) => sum + points, 0);
  const top = Math.max(...days.map(({ points }) => points), 1);
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure className="grid gap-2">
      <figcaption>{describePayouts(days, total)}</figcaption>
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
            <title>{`${dayName(day)}: ${formatPoints(points)} points`}</title>
          </rect>
        ))}
      </svg>
      {first && last && (
        <div aria-hidden="true" className="flex justify-between text-muted text-sm">
          <span>{dayName(first.day)}</span>
          <span>{dayName(last.day)}</span>
        </div>
      )}
    </figure>
  );
}
