import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { cn } from '@/lib/cn';

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
