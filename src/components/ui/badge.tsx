import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

const tones = {
  neutral: 'bg-sunken text-ink',
  action: 'bg-action-soft text-action',
  points: 'bg-points-soft text-ink',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  /** On a coloured background, in the text colour around it. */
  card: 'bg-card',
} as const;

export type Tone = keyof typeof inks;

/** A neutral label of a word or two. */
export function Badge({
  tone = 'neutral',
  className,
  ...props
}: ComponentProps<'span'> & { tone?: keyof typeof tones }) {
  return (
    <span
      {...props}
      className={cn(
        // Half the height of one line: two lines make a box with round corners, not an egg.
        'inline-flex items-center gap-1 rounded-xl px-2.5 py-0.5 font-medium text-sm leading-snug [&_svg]:size-4',
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

const sizes = { sm: 'px-2 py-0.5 text-sm leading-snug', md: 'px-2 py-0.5 text-base', lg: 'px-4 py-2 text-xl' } as const;

/** A badge for decisions that looks like a rubber stamp: label, icon and colour, slightly rotated. */
export function OutlinedBadge({
  tone = 'neutral',
  size = 'sm',
  className,
  ...props
}: ComponentProps<'span'> & { tone?: Tone; size?: keyof typeof sizes }) {
  return (
    <span
      {...props}
      className={cn(
        'inline-flex -rotate-1 items-center gap-1.5 whitespace-nowrap rounded-md border-2 font-bold font-display [&_svg]:size-4 [&_svg]:shrink-0',
        sizes[size],
        inks[tone],
        className,
      )}
    />
  );
}
