import type { ReactNode } from 'react';
import { Skeleton } from '@/components/ui/skeleton';

export type Figure = { label: string; value: ReactNode; note?: ReactNode };

/** A few figures side by side, two in a row on phones; while they load, `figures` may be their labels alone. */
export function FigureTiles({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <section aria-label={label}>
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {figures.map((figure) => (
          <div key={figure.label} className="flex flex-col gap-1 rounded-card border bg-card p-4 shadow-card">
            <dt className="text-muted text-sm">{figure.label}</dt>
            <dd className="font-bold font-display text-2xl tabular-nums [overflow-wrap:anywhere]">{figure.value}</dd>
            {figure.note && <dd className="mt-auto text-muted text-sm">{figure.note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The tiles' shape while their figures load. */
export function FigureTilesSkeleton({ count = 4 }: { count?: number }) {
  return (
    <div aria-busy="true" className="grid grid-cols-2 gap-3 md:grid-cols-4">
      {Array.from({ length: count }, (_, index) => `tile-${index}`).map((tile) => (
        <div key={tile} className="grid gap-3 rounded-card border bg-card p-4 shadow-card">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-7 w-1/2" />
        </div>
      ))}
    </div>
  );
}
