import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Stamp } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Meter } from '@/components/ui/progress';
import { formatCount, formatNumber, formatUsd } from '@/lib/format';
import type { OgPlan } from '../og-plan';

const benefits = [
  'Every premium benefit of Questboard, for as long as it exists',
  'Quests and budgets beyond the trial as soon as the beta ends',
  'The OG Member badge beside your name',
  '30-day money-back guarantee',
];

type PlanCardProps = { plan: OgPlan; remaining: number; children: ReactNode };

/** What the money buys, and how many slots are left (SUBS-01, SUBS-02). */
export function PlanCard({ plan, remaining, children }: PlanCardProps) {
  const left = `${formatNumber(remaining)} of ${formatCount(plan.slots, 'slot')} left`;
  return (
    <Card className="relative grid gap-6 pt-8 sm:p-8">
      <span
        aria-hidden="true"
        className="absolute -top-2.5 left-1/2 size-5 -translate-x-1/2 rounded-full border-2 border-card bg-points shadow-card"
      />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-bold font-display text-6xl leading-none tabular-nums">{formatUsd(plan.price)}</span>
          <span className="text-lg">once</span>
          <s className="text-lg text-muted">
            <span className="sr-only">instead of </span>
            {formatUsd(plan.originalPrice)}
          </s>
        </p>
        {plan.percentOff > 0 && <Stamp tone="points">{plan.percentOff}% off</Stamp>}
      </div>
      <ul className="grid gap-2">
        {benefits.map((benefit) => (
          <li key={benefit} className="flex items-start gap-2.5">
            <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-action" strokeWidth={3} />
            {benefit}
          </li>
        ))}
      </ul>
      <div className="grid gap-2">
        <div className="flex flex-wrap justify-between gap-x-4">
          <p className="font-semibold">Limited to {formatNumber(plan.slots)} slots</p>
          <p aria-hidden="true" className="text-muted tabular-nums">
            {left}
          </p>
        </div>
        <Meter label="Slots taken" value={plan.slots - remaining} max={Math.max(plan.slots, 1)} valueText={left} />
      </div>
      {children}
      <p className="text-muted text-sm">
        You pay on Stripe's page; we never see your card. Benefits start after the beta.
      </p>
    </Card>
  );
}
