import { Avatar as Primitive } from 'radix-ui';
import { cn } from '@/lib/cn';

/** First letters of the first and the last word; a question mark where there is none. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  return (
    [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0]?.toUpperCase() ?? '').join('') ||
    '?'
  );
}

type AvatarProps = { name: string; src?: string | null; shape?: 'round' | 'square'; className?: string };

/** A portrait or logo, with initials until it has loaded or without one. Decorative: the name is next to it. */
export function Avatar({ name, src, shape = 'round', className = 'size-10' }: AvatarProps) {
  const corner = shape === 'round' ? 'rounded-full' : 'rounded-control';
  return (
    <Primitive.Root
      aria-hidden="true"
      className={cn('inline-flex shrink-0 select-none overflow-hidden border bg-sunken', corner, className)}
    >
      {src && <Primitive.Image src={src} alt="" loading="lazy" className="size-full object-cover" />}
      <Primitive.Fallback
        delayMs={src ? 300 : 0}
        className="grid size-full place-items-center font-bold font-display text-[0.85em] text-muted"
      >
        {initials(name)}
      </Primitive.Fallback>
    </Primitive.Root>
  );
}
