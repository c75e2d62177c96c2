import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

const shapes = { control: 'rounded-control', card: 'rounded-card' } as const;

/** A grey placeholder of the same size as the content. Decorative: put `aria-busy` on the region around it. */
export function Skeleton({
  shape = 'control',
  className = 'h-4',
  ...props
}: ComponentProps<'div'> & { shape?: keyof typeof shapes }) {
  return <div aria-hidden="true" {...props} className={cn('animate-pulse bg-sunken', shapes[shape], className)} />;
}
