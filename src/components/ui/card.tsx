import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

const tones = {
  plain: 'border bg-card',
  action: 'border border-action bg-action-soft',
  featured: 'border-2 border-action bg-card',
} as const;

const paddings = {
  xs: 'p-2 sm:p-3',
  sm: 'p-3 sm:p-4',
  md: 'p-4 sm:p-5',
  lg: 'p-4 sm:p-6',
  xl: 'p-4 sm:p-8',
} as const;

type CardProps = ComponentProps<'div'> & {
  as?: 'div' | 'li' | 'article' | 'section';
  tone?: keyof typeof tones;
  padding?: keyof typeof paddings;
};

/** A card. `as` sets the element, for lists and articles. */
export function Card({ as: Element = 'div', tone = 'plain', padding = 'md', className, ...props }: CardProps) {
  const Tag = Element as 'div';
  return <Tag {...props} className={cn('rounded-card shadow-card', tones[tone], paddings[padding], className)} />;
}
