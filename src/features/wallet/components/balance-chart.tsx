import { formatDate, formatPoints } from '@/lib/format';
import { balanceSeries, stepAreaPath } from '../points-series';
import type { Transaction } from '../queries';

const width = 320;
const height = 64;

/** Chart of the balance over the given transactions, with a text alternative. Nothing without any. */
export function BalanceChart({
  transactions,
  className,
}: {
  transactions: readonly Transaction[];
  className?: string;
}) {
  const series = balanceSeries(transactions);
  const area = stepAreaPath(series, width, height);
  const first = series[0];
  const last = series.at(-1);
  if (!area || !first || !last) return null;
  const words = `Your balance went from ${formatPoints(first.points)} to ${formatPoints(last.points)} points since ${formatDate(first.at)}.`;

  return (
    <figure className={className}>
      <svg
        role="img"
        aria-label={words}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-16 w-full overflow-visible"
      >
        <path d={area.fill} className="fill-points-soft" />
        <path
          d={area.line}
          fill="none"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
          strokeLinejoin="round"
          className="stroke-points"
        />
      </svg>
      <figcaption aria-hidden="true" className="mt-1 flex justify-between gap-4 text-muted text-sm">
        <span>{formatDate(first.at)}</span>
        <span>Today</span>
      </figcaption>
    </figure>
  );
}
