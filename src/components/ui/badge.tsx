import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

const tones = {
  neutral: 'bg-sunken text-ink',
  action: 'bg-action-soft text-action',
  points: 'bg-points-soft text-ink',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
} as const;

export type Tone = keyof typeof tones;

/** A neutral label of a word or two. */
export function Badge({ tone = 'neutral', className, ...props }: ComponentProps<'span'> & { tone?: Tone }) {
  return (
    <span
      {...props}
      className={cn(
        'inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 font-medium text-sm leading-snug [&_svg]:size-4',
        tones[tone],
        className,
      )}
    />
  );
}

const inks = {
  neutral: 'border-field text-muted',
  action: 'border-action text-action',
  points: 'border-points text-ink',
  warning: 'border-warning text-warning',
  danger: 'border-danger text-danger',
} as const;

/** A badge for decisions that looks like a rubber stamp: label, icon and colour, slightly rotated. */
export function OutlinedBadge({ tone = 'neutral', className, ...props }: ComponentProps<'span'> & { tone?: Tone }) {
  return (
    <span
      {...props}
      className={cn(
        'inline-flex -rotate-1 items-center gap-1.5 whitespace-nowrap rounded-md border-2 px-2 py-0.5 font-bold font-display text-sm leading-snug [&_svg]:size-4 [&_svg]:shrink-0',
        inks[tone],
        className,
      )}
    />
  );
}
