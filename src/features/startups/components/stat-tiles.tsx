import type { ReactNode } from 'react';

type Stat = { label: string; value: ReactNode; note?: ReactNode };

/** A few figures side by side; two in a row on phones. */
export function StatTiles({ label, stats }: { label: string; stats: readonly Stat[] }) {
  return (
    <section aria-label={label}>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {stats.map((stat) => (
          <div key={stat.label} className="flex flex-col gap-1 rounded-card border bg-card p-4 shadow-card">
            <dt className="text-muted text-sm">{stat.label}</dt>
            <dd className="font-bold font-display text-2xl tabular-nums">{stat.value}</dd>
            {stat.note && <dd className="text-sm">{stat.note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}
