import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';
import { useFieldControl } from './field';
import { controlClass } from './input';

/** Grows with its text where the browser can, scrolls where it cannot. */
export function Textarea({ className, rows = 4, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldControl(props)}
      rows={rows}
      className={cn(controlClass, 'field-sizing-content max-h-96 min-h-24 resize-y', className)}
    />
  );
}
