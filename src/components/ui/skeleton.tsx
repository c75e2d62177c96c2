import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** A grey placeholder shaped by its class names. Decorative: put `aria-busy` on the region around it. */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return <div aria-hidden="true" {...props} className={cn('h-4 animate-pulse rounded-control bg-sunken', className)} />;
}
