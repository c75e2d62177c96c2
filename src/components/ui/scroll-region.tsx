import type { ReactNode } from 'react';
import { cn } from '@/lib/cn';

type ScrollRegionProps = {
  /** Names the region for screen readers. */
  label: string;
  /** With its largest size, `max-h-…`. */
  className?: string;
  children: ReactNode;
};

/** A part of a dialog or page that scrolls by itself, also with the arrow keys (WCAG 2.1.1; not every browser focuses it unasked). */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      // `relative`: text for screen readers, which is positioned, would otherwise make what is around it as long as the content.
      className={cn('relative overflow-auto', className)}
    >
      {children}
    </section>
  );
}
