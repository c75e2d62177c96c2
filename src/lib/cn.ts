import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

/** tailwind-merge must know our own radius names, or `rounded-card` would not replace `rounded-control`. */
const merge = extendTailwindMerge({ extend: { theme: { radius: ['control', 'card'], shadow: ['card'] } } });

/** Joins class names; a later utility wins over an earlier one of the same kind. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
