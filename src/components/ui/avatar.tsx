import { useState } from 'react';
import { cn } from '@/lib/cn';

/** First letters of the first and the last word; a question mark where there is none. An emoji counts as a letter. */
export function initials(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => [...word].slice(0, 1));
  return [...letters.slice(0, 1), ...letters.slice(1).slice(-1)].join('').toUpperCase() || '?';
}

type AvatarProps = { name: string; src?: string | null; shape?: 'round' | 'square'; className?: string };

/** A portrait or logo, with initials until it has loaded or without one. Decorative: the name is next to it. */
export function Avatar({ name, src, shape = 'round', className = 'size-10' }: AvatarProps) {
  const [loaded, setLoaded] = useState<string | null>(null);
  const corner = shape === 'round' ? 'rounded-full' : 'rounded-control';
  return (
    <span
      aria-hidden="true"
      className={cn('relative inline-flex shrink-0 select-none overflow-hidden border bg-sunken', corner, className)}
    >
      {(!src || src !== loaded) && (
        <span
          className={cn(
            'grid size-full place-items-center font-bold font-display text-[0.85em] text-muted',
            // Most pictures load sooner, and initials that only flash would distract.
            src && 'animate-appear [animation-delay:300ms]',
          )}
        >
          {initials(name)}
        </span>
      )}
      {src && (
        <img
          src={src}
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover"
          onLoad={() => setLoaded(src)}
        />
      )}
    </span>
  );
}
