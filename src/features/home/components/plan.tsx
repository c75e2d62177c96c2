import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { cn } from '@/lib/cn';

type PlanProps = {
  name: string;
  price: ReactNode;
  points: readonly string[];
  /** A stamp at the top right. */
  stamp?: ReactNode;
  isFeatured?: boolean;
  action: ReactNode;
};

/** One plan on the price list. */
export function Plan({ name, price, points, stamp, isFeatured = false, action }: PlanProps) {
  return (
    <Card as="li" className={cn('flex flex-col gap-5', isFeatured && 'border-2 border-action')}>
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h3 className="text-xl">{name}</h3>
        {stamp}
      </div>
      <p className="flex min-h-12 flex-wrap items-baseline gap-x-2">{price}</p>
      <ul className="grid grow content-start gap-2">
        {points.map((point) => (
          <li key={point} className="flex items-start gap-2.5">
            <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-action" strokeWidth={3} />
            {point}
          </li>
        ))}
      </ul>
      {action}
    </Card>
  );
}

/** The large figure of a plan. */
export function Price({ children }: { children: ReactNode }) {
  return <span className="font-bold font-display text-5xl leading-none tabular-nums">{children}</span>;
}
