import { type ReactNode, useId } from 'react';
import { cn } from '@/lib/cn';

type SectionProps = {
  title: string;
  lead?: ReactNode;
  /** Shown to the right of the title. */
  aside?: ReactNode;
  id?: string;
  className?: string;
  children: ReactNode;
};

/** On phones the cards of a list are swiped sideways; the next one peeks in at the edge. */
export const swipedOnPhones =
  'grid max-sm:scroll-x max-sm:-mx-4 max-sm:snap-x max-sm:snap-mandatory max-sm:scroll-px-4 max-sm:auto-cols-[88%] max-sm:grid-flow-col max-sm:px-4 max-sm:pb-2 max-sm:[&>li]:snap-start';

/** A section of the home page with its heading. */
export function Section({ title, lead, aside, id, className, children }: SectionProps) {
  const titleId = useId();
  return (
    <section id={id} aria-labelledby={titleId} className={cn('page-column py-5 sm:py-10', className)}>
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-3 sm:mb-6">
        <div className="grid max-w-prose gap-1">
          <h2 id={titleId} className="text-2xl sm:text-4xl">
            {title}
          </h2>
          {lead && <p className="text-muted sm:text-lg">{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}
