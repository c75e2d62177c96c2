import { type ReactNode, useId } from 'react';
import { cn } from '@/lib/cn';

type SectionProps = {
  title: string;
  lead?: ReactNode;
  /** Stands at the right of the title. */
  aside?: ReactNode;
  id?: string;
  className?: string;
  children: ReactNode;
};

/** A part of the home page under its heading. */
export function Section({ title, lead, aside, id, className, children }: SectionProps) {
  const titleId = useId();
  return (
    <section id={id} aria-labelledby={titleId} className={cn('page-column py-8 sm:py-12', className)}>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 sm:mb-8">
        <div className="grid max-w-prose gap-2">
          <h2 id={titleId} className="text-3xl sm:text-4xl">
            {title}
          </h2>
          {lead && <p className="text-lg text-muted">{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}
