import { useEffect, useRef, useState } from 'react';
import { Points } from './points';

/** Milliseconds of counting up after a change. */
const countFor = 700;

/** Follows `target`, counting once from the former value to the new one; at once when less motion is asked for. */
function useCounted(target: number): number {
  const [shown, setShown] = useState(target);
  const from = useRef(target);
  useEffect(() => {
    const start = from.current;
    from.current = target;
    if (start === target) return;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return setShown(target);
    const startedAt = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const share = Math.min((now - startedAt) / countFor, 1);
      setShown(Math.round(start + (target - start) * (1 - (1 - share) ** 3)));
      if (share < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [target]);
  return shown;
}

/** A balance that shows when it changes. */
export function PointsBalance({ value, className }: { value: number; className?: string }) {
  return <Points value={useCounted(value)} className={className} />;
}
