import { useState } from 'react';
import { cn } from '@/lib/cn';
import type { Reward } from '../queries';
import { RewardCoupon } from './reward-coupon';

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
