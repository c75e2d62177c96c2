import { isoDay, lastDays } from '@/lib/format';
import type { Payout, Transaction } from './queries';

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

/** Points paid out on one UTC day. */
export type PayoutDay = { day: string; points: number };

/** Payouts summed by day over the last `days` days, today last, including empty days. */
export function payoutsByDay(payouts: readonly Payout[], days: number, now: Date = new Date()): PayoutDay[] {
  const sums = new Map<string, number>();
  for (const payout of payouts) {
    const day = isoDay(payout.created_at);
    sums.set(day, (sums.get(day) ?? 0) + payout.points);
  }
  return lastDays(days, now).map((day) => ({ day, points: sums.get(day) ?? 0 }));
}

/** Signed points: credits positive, debits negative. */
export function signedPoints({ points, type }: Pick<Transaction, 'points' | 'type'>): number {
  return type === 'credit' ? points : -points;
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
