import { useId } from 'react';
import { DataTable } from '@/components/data-table';
import { ScrollRegion } from '@/components/ui/scroll-region';
import { cn } from '@/lib/cn';
import { formatDay, formatNumber } from '@/lib/format';
import type { PlatformDay } from '../data/queries';

/** Growth charts per day: members, completions, points in and out. */
export function GrowthCharts({ days }: { days: readonly PlatformDay[] }) {
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <DayChart
        title="New members"
        days={days}
        series={[{ name: 'Members', value: (day) => day.new_users, tone: 'action' }]}
      />
      <DayChart
        title="Completed tasks"
        days={days}
        series={[{ name: 'Completions', value: (day) => day.completions, tone: 'action' }]}
      />
      <div className="md:col-span-2">
        <DayChart
          title="Points issued and redeemed"
          unit="points"
          days={days}
          series={[
            { name: 'Issued', value: (day) => day.points_issued, tone: 'points' },
            { name: 'Redeemed', value: (day) => day.points_redeemed, tone: 'action' },
          ]}
        />
      </div>
    </div>
  );
}

type DaySeries<Day> = { name: string; value: (day: Day) => number; tone: 'action' | 'points' };

const fills = { action: 'fill-action', points: 'fill-points' } as const;
const dots = { action: 'bg-action', points: 'bg-points' } as const;
const height = 100;
const gap = 0.24;

type DayChartProps<Day> = { title: string; days: readonly Day[]; series: readonly DaySeries<Day>[]; unit?: string };

/** One or two figures per day as bars, with an accessible table of the same numbers. */
export function DayChart<Day extends { day: string }>({ title, days, series, unit }: DayChartProps<Day>) {
  const titleId = useId();
  const top = niceMax(Math.max(...days.flatMap((day) => series.map(({ value }) => value(day))), 1));
  const [first, middle, last] = [days[0], days[Math.floor(days.length / 2)], days.at(-1)];
  if (!first || !last) return null;
  const bar = (1 - gap) / series.length;
  return (
    <figure
      aria-labelledby={titleId}
      className="grid content-start gap-3 rounded-card border bg-card p-4 shadow-card sm:p-5"
    >
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span id={titleId} className="font-bold font-display text-lg">
          {title}
        </span>
        <span className="flex flex-wrap gap-x-4 text-sm">
          {series.map(({ name, value, tone }) => (
            <span key={name} className="inline-flex items-center gap-1.5">
              <span aria-hidden="true" className={`size-2.5 rounded-full ${dots[tone]}`} />
              {series.length > 1 && <span className="text-muted">{name}</span>}
              <strong className="tabular-nums">{formatNumber(days.reduce((sum, day) => sum + value(day), 0))}</strong>
            </span>
          ))}
        </span>
      </figcaption>
      <div aria-hidden="true">
        <div className="relative pt-5 pl-12">
          <GridLine value={top} className="top-0" />
          <GridLine value={top / 2} className="top-18" />
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${days.length} ${height}`}
            preserveAspectRatio="none"
            className="relative h-36 w-full border-b border-b-field"
          >
            {days.map((day, index) =>
              series.map(({ name, value, tone }, position) => {
                const share = Math.max(value(day), 0) / top;
                return (
                  <rect
                    key={`${day.day}${name}`}
                    x={index + gap / 2 + position * bar}
                    width={bar}
                    y={height * (1 - share)}
                    height={height * share}
                    className={fills[tone]}
                  >
                    <title>{`${formatDay(day.day)}: ${formatNumber(value(day))} ${unit ?? name.toLowerCase()}`}</title>
                  </rect>
                );
              }),
            )}
          </svg>
        </div>
        <div className="mt-1.5 flex justify-between pl-12 text-muted text-sm">
          <span>{formatDay(first.day)}</span>
          {middle && days.length > 2 && <span>{formatDay(middle.day)}</span>}
          <span>{formatDay(last.day)}</span>
        </div>
      </div>
      <details className="text-sm">
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-medium text-action underline underline-offset-4">
          Show as table
        </summary>
        <ScrollRegion label={title} className="max-h-80">
          <DataTable
            caption={title}
            rows={[...days].reverse()}
            rowKey={({ day }) => day}
            columns={[
              { key: 'day', header: 'Day (UTC)', cell: ({ day }) => formatDay(day) },
              ...series.map(({ name, value }) => ({
                key: name,
                header: name,
                isNumeric: true,
                cell: (day: Day) => formatNumber(value(day)),
              })),
            ]}
          />
        </ScrollRegion>
      </details>
    </figure>
  );
}

/** An axis label, beside the bars, with its grid line. */
function GridLine({ value, className }: { value: number; className: string }) {
  return (
    <p
      className={cn(
        'absolute inset-x-0 flex h-5 items-end border-b border-dashed text-muted text-xs tabular-nums',
        className,
      )}
    >
      {formatNumber(value)}
    </p>
  );
}

/**
 * Upper end of an axis for whole amounts up to `top`: one of 2, 4, 6, 8, 10, 12, 16, 20 times a power of ten, which
 * gives readable labels and a whole number at half height.
 */
export function niceMax(top: number): number {
  const steps = [2, 4, 6, 8, 10, 12, 16, 20];
  const power = 10 ** Math.max(Math.floor(Math.log10(Math.max(top, 1) / 2)), 0);
  return (steps.find((step) => step * power >= top) ?? 20) * power;
}
