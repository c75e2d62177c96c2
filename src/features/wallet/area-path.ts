import type { BalancePoint } from './points-series';

export type Area = { line: string; fill: string };

const round = (value: number) => Math.round(value * 100) / 100;

/**
 * SVG paths of a balance over time inside a box: a stair, because a balance stays until the next transaction, and the
 * area below it. The vertical scale starts at 0. Null with fewer than two points.
 */
export function areaPath(series: readonly BalancePoint[], width: number, height: number): Area | null {
  const first = series[0];
  const last = series.at(-1);
  if (!first || !last || series.length < 2) return null;
  const start = Date.parse(first.at);
  const span = Date.parse(last.at) - start;
  const top = Math.max(...series.map(({ points }) => points), 1);
  // Everything in the same moment: spread evenly instead of drawing one vertical line.
  const x = (at: string, index: number) =>
    round(width * (span > 0 ? (Date.parse(at) - start) / span : index / (series.length - 1)));
  const y = (points: number) => round(height * (1 - points / top));

  const steps = series.slice(1).map(({ at, points }, index) => `H${x(at, index + 1)}V${y(points)}`);
  const line = `M0 ${y(first.points)}${steps.join('')}H${width}`;
  return { line, fill: `${line}V${height}H0Z` };
}
