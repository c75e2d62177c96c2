import { formatCount, formatDate, formatPoints } from '@/lib/format';
import type { Transaction } from '../queries';

const width = 320;
const height = 64;

/** Chart of the balance over the given transactions, with a text alternative. Nothing without any. */
export function BalanceChart({ transactions }: { transactions: readonly Transaction[] }) {
  const series = balanceSeries(transactions);
  const area = stepAreaPath(series, width, height);
  const first = series[0];
  const last = series.at(-1);
  if (!area || !first || !last) return null;
  const words = `Your balance went from ${formatPoints(first.points)} to ${formatCount(last.points, 'point')} since ${formatDate(first.at)}.`;

  return (
    <figure>
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

/** A point of the balance chart. */
type BalancePoint = { at: string; points: number };

/**
 * The balance over the given transactions (newest first, as read), oldest first. Starts with the balance before the
 * first one, so that a single transaction is a step and not a dot, and ends with the current balance.
 */
export function balanceSeries(transactions: readonly Transaction[], now: Date = new Date()): BalancePoint[] {
  const series: BalancePoint[] = [];
  for (const { balance_after, created_at, points, type } of [...transactions].reverse()) {
    if (series.length === 0) {
      series.push({ at: created_at, points: type === 'credit' ? balance_after - points : balance_after + points });
    }
    // In ledger order; of two concurrent transactions the first can have the later timestamp.
    const before = series.at(-1)?.at ?? created_at;
    series.push({ at: Date.parse(created_at) < Date.parse(before) ? before : created_at, points: balance_after });
  }
  const last = series.at(-1);
  // This device's clock may be behind the server's; the line must not go backwards.
  if (last) series.push({ ...last, at: new Date(Math.max(now.getTime(), Date.parse(last.at))).toISOString() });
  return series;
}

type Area = { line: string; fill: string };

const round = (value: number) => Math.round(value * 100) / 100;

/**
 * SVG paths of a balance over time inside a box: a step line, because a balance stays until the next transaction, and
 * the area below it. The vertical scale starts at 0. Null with fewer than two points.
 */
export function stepAreaPath(series: readonly BalancePoint[], width: number, height: number): Area | null {
  const first = series[0];
  const last = series.at(-1);
  if (!first || !last || series.length < 2) return null;
  const start = Date.parse(first.at);
  const span = Date.parse(last.at) - start;
  const top = Math.max(...series.map(({ points }) => points), 1);
  // All at the same time: spread evenly instead of drawing one vertical line.
  const x = (at: string, index: number) =>
    round(width * (span > 0 ? (Date.parse(at) - start) / span : index / (series.length - 1)));
  const y = (points: number) => round(height * (1 - points / top));

  const steps = series.slice(1).map(({ at, points }, index) => `H${x(at, index + 1)}V${y(points)}`);
  const line = `M0 ${y(first.points)}${steps.join('')}H${width}`;
  return { line, fill: `${line}V${height}H0Z` };
}
