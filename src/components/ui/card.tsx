import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** A card. `as` sets the element, for lists and articles. */
export function Card({
  className,
  as: Element = 'div',
  ...props
}: ComponentProps<'div'> & { as?: 'div' | 'li' | 'article' | 'section' }) {
  const Tag = Element as 'div';
  return <Tag {...props} className={cn('rounded-card border bg-card p-4 shadow-card sm:p-5', className)} />;
}
