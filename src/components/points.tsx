import { useEffect, useState } from 'react';
import { cn } from '@/lib/cn';
import { formatPoints } from '@/lib/format';
import { VisuallyHidden } from './ui/visually-hidden';

/** The coin icon next to every amount of points. Decorative. */
export function CoinMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 20 20" className={cn('size-[1.1em] shrink-0', className)}>
      <circle cx="10" cy="10" r="9" className="fill-points" />
      <circle cx="10" cy="10" r="6.6" fill="none" strokeWidth="1.2" className="stroke-on-points" opacity="0.55" />
      <path
        d="m7 10.2 2.2 2.2L13 8"
        fill="none"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-points"
      />
    </svg>
  );
}

const weights = { normal: 'font-normal', semibold: 'font-semibold', bold: 'font-bold' } as const;

type PointsProps = { value: number; hasSign?: boolean; weight?: keyof typeof weights; className?: string };

/** An amount of points: coin, thousands separators, and a sign in histories. */
export function Points({ value, hasSign = false, weight = 'semibold', className }: PointsProps) {
  return (
    <span
      data-long={Math.abs(value) >= 1_000_000 || undefined}
      className={cn('inline-flex items-center gap-1.5 whitespace-nowrap tabular-nums', weights[weight], className)}
    >
      <CoinMark />
      {formatPoints(value, { sign: hasSign })}
      <VisuallyHidden>{Math.abs(value) === 1 ? ' point' : ' points'}</VisuallyHidden>
    </span>
  );
}

/** Duration of the count-up after a change, in milliseconds. */
const countFor = 700;

/** Follows `target`, counting up once from the value on the screen; jumps when reduced motion is requested. */
function useCounted(target: number): number {
  const [shown, setShown] = useState(target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: starts from what is shown when the target changes, not at each step
  useEffect(() => {
    if (shown === target) return;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return setShown(target);
    const startedAt = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const share = Math.min((now - startedAt) / countFor, 1);
      setShown(Math.round(shown + (target - shown) * (1 - (1 - share) ** 3)));
      if (share < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [target]);
  return shown;
}

/** A balance that animates its changes. */
export function PointsBalance({ value, ...props }: Omit<PointsProps, 'hasSign'>) {
  return <Points {...props} value={useCounted(value)} />;
}
