import type { ReactNode } from 'react';
import { Meter } from '@/components/ui/progress';
import { formatNumber } from '@/lib/format';

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
