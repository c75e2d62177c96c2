import { useState } from 'react';
import { cn } from '@/lib/cn';
import type { Reward } from '../queries';
import { RewardDrawing } from './reward-drawing';

type RewardPictureProps = {
  reward: Pick<Reward, 'id' | 'title' | 'description' | 'image_url'>;
  className?: string;
};

/** A reward's picture; a drawing of what it is where there is none or it does not load. Decorative: the title stands beside it. */
export function RewardPicture({ reward, className }: RewardPictureProps) {
  const [hasFailed, setHasFailed] = useState(false);
  const frame = cn('overflow-hidden rounded-control border', className);
  if (!reward.image_url || hasFailed) return <RewardDrawing reward={reward} className={frame} />;
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
