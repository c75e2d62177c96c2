import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { Meter } from '@/components/ui/progress';
import { cn } from '@/lib/cn';
import { formatNumber } from '@/lib/format';

type SectionProps = { title: string; lead?: ReactNode; actions?: ReactNode; className?: string; children: ReactNode };

/** A titled card of the dashboard. */
export function Section({ title, lead, actions, className, children }: SectionProps) {
  return (
    <Card as="section" className={cn('grid content-start gap-4', className)}>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h3 className="text-lg">{title}</h3>
          {lead && <p className="text-muted">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </Card>
  );
}

/** A list of facts, label and value. */
export function DetailList({ children }: { children: ReactNode }) {
  return <dl className="grid gap-3">{children}</dl>;
}

export function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 sm:grid-cols-[9rem_1fr] sm:items-baseline sm:gap-3">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** An id in monospace; with `length`, only its beginning. */
export function Id({ children, length }: { children: string | null; length?: number }) {
  if (!children) return <span className="text-muted">—</span>;
  return (
    <code className="text-sm" title={children}>
      {length ? children.slice(0, length) : children}
    </code>
  );
}

type Bar = { label: string; value: number; note?: ReactNode };

/** Named amounts as bars, in the given order; screen readers get each with its number. */
export function BarList({ bars, unit }: { bars: readonly Bar[]; unit: string }) {
  const top = Math.max(...bars.map(({ value }) => value), 1);
  return (
    <ul className="grid gap-3">
      {bars.map(({ label, value, note }) => (
        <li key={label} className="grid gap-1">
          <div className="flex justify-between gap-4">
            <span className="min-w-0">{label}</span>
            <span className="shrink-0 font-semibold tabular-nums">
              {formatNumber(value)}
              {note && <span className="ml-2 font-normal text-muted">{note}</span>}
            </span>
          </div>
          <Meter label={label} value={value} max={top} valueText={`${formatNumber(value)} ${unit}`} />
        </li>
      ))}
    </ul>
  );
}
