import { Meter } from '@/components/ui/progress';
import { formatPercent, formatPoints } from '@/lib/format';

/** Used share of a budget; 0 when there is neither budget nor use (C-41). */
export function budgetUsage(used: number, budget: number): number {
  if (budget <= 0) return used > 0 ? Number.POSITIVE_INFINITY : 0;
  return used / budget;
}

/** Green up to and including 80 percent, orange above, red when overspent (QEDIT-08, C-41). */
export function BudgetBar({ label, used, budget }: { label: string; used: number; budget: number }) {
  const usage = budgetUsage(used, budget);
  const tone = usage > 1 ? 'danger' : usage > 0.8 ? 'points' : 'action';
  const share = Number.isFinite(usage) ? ` (${formatPercent(usage)})` : '';
  const text = `${formatPoints(used)} of ${formatPoints(budget)} points${share}`;
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap justify-between gap-x-4 text-sm" aria-hidden="true">
        <span className="font-semibold">{label}</span>
        <span className="text-muted tabular-nums">{text}</span>
      </div>
      <Meter label={label} value={used} max={Math.max(budget, 1)} valueText={text} tone={tone} />
    </div>
  );
}
