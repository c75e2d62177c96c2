import { cn } from '@/lib/cn';

/** A grey placeholder shaped by its class names. Decorative: put `aria-busy` on the region around it. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn('h-4 animate-pulse rounded-control bg-sunken', className)} />;
}
