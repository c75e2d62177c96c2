import { Flower2, Gift, Heart, type LucideIcon, PartyPopper, Sparkles, Star } from 'lucide-react';
import { useState } from 'react';
import { cn } from '@/lib/cn';
import type { Reward } from '../queries';

/** A reward's picture; a drawn coupon where there is none or it does not load. Decorative: the title stands beside it. */
export function RewardPicture({ reward, className }: { reward: Pick<Reward, 'id' | 'image_url'>; className?: string }) {
  const [hasFailed, setHasFailed] = useState(false);
  const frame = cn('overflow-hidden rounded-control border', className);
  if (!reward.image_url || hasFailed) return <RewardCoupon id={reward.id} className={frame} />;
  return (
    <img
      src={reward.image_url}
      alt=""
      loading="lazy"
      onError={() => setHasFailed(true)}
      className={cn(frame, 'bg-sunken object-cover')}
    />
  );
}

/** Nothing particular: a cup on a train ticket would promise the wrong thing. */
const icons: readonly LucideIcon[] = [Gift, Sparkles, Star, Heart, PartyPopper, Flower2];
const papers = ['bg-points-soft', 'bg-action-soft', 'bg-sunken'] as const;

/** A number that belongs to the id, so that a reward keeps its coupon. */
function hash(id: string): number {
  let value = 7;
  for (const letter of id) value = (value * 31 + letter.charCodeAt(0)) % 9973;
  return value;
}

/** A coupon torn from the board, in one of a few papers. Decorative. */
function RewardCoupon({ id, className }: { id: string; className?: string }) {
  const number = hash(id);
  const Icon = icons[number % icons.length] ?? Gift;
  return (
    <div
      aria-hidden="true"
      className={cn('relative grid place-items-center', papers[number % papers.length], className)}
    >
      <div className="grid aspect-5/3 h-[62%] max-w-[80%] -rotate-2 grid-cols-[1fr_auto] rounded-md border-2 border-ink/70 bg-card text-ink">
        <Icon className="m-auto size-[42%]" strokeWidth={1.4} />
        <span className="border-ink/70 border-l-2 border-dashed px-[0.45em]" />
      </div>
    </div>
  );
}
