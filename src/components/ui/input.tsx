import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';
import { useFieldControl } from './field';

/** Shared look of everything one types or chooses in. 16 px text keeps phones from zooming in. */
export const controlClass =
  'w-full rounded-control border border-field bg-card px-3 py-2 text-base text-ink placeholder:text-muted disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted [&[readonly]]:bg-sunken aria-invalid:border-danger';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...useFieldControl(props)} className={cn(controlClass, 'min-h-11', className)} />;
}
