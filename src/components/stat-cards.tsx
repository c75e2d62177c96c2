import type { ReactNode } from 'react';
import { cn } from '@/lib/cn';
import { Skeleton } from './ui/skeleton';

export type Stat = { label: string; value: ReactNode; note?: ReactNode };

/** A figure in half a phone's width, where seven digits and dates (`data-long`) need a smaller size. As high with a coin as without. */
export const figureClass =
  'flex min-h-8 flex-wrap items-center font-bold font-display text-2xl tabular-nums max-[27rem]:has-data-long:text-lg';

const gridClass = (count: number) =>
  cn('grid grid-cols-2 gap-3', count % 3 === 0 ? 'md:grid-cols-3' : 'md:grid-cols-4');

/** A few figures side by side, two in a row on phones. */
export function StatCards({ label, stats }: { label: string; stats: readonly Stat[] }) {
  return (
    <section aria-label={label}>
      <dl className={gridClass(stats.length)}>
        {stats.map((stat) => (
          <div
            key={stat.label}
            className="flex flex-col gap-1 rounded-card border bg-card p-4 shadow-card max-md:last:odd:col-span-2"
          >
            <dt className="text-muted text-sm">{stat.label}</dt>
            <dd className={`${figureClass} [overflow-wrap:anywhere]`}>{stat.value}</dd>
            {stat.note && <dd className="text-muted text-sm">{stat.note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Skeleton of the cards. */
export function StatCardsSkeleton({ count = 4 }: { count?: number }) {
  return (
    <div aria-busy="true" className={gridClass(count)}>
      {Array.from({ length: count }, (_, index) => `card-${index}`).map((card) => (
        <div key={card} className="grid gap-3 rounded-card border bg-card p-4 shadow-card">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-7 w-1/2" />
        </div>
      ))}
    </div>
  );
}
