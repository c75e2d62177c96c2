import { useState } from 'react';
import { cn } from '@/lib/cn';
import type { Reward } from '../queries';

type RewardPictureProps = {
  reward: Pick<Reward, 'id' | 'title' | 'description' | 'image_url'>;
  className?: string;
};

/** A reward's picture, or a drawing if it has none or it fails to load. Decorative: the title is next to it. */
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

/** Each in a box of 120 by 80. */
const drawings = {
  bakery:
    'M28 34h30v10a15 15 0 0 1-30 0zM58 36h5a6 6 0 0 1 0 12h-6M24 64h42M72 62c-2-12 6-20 16-17s14 11 10 17zM80 59l1-8M89 59l1-9M37 26c0-4 3-4 3-8M47 26c0-4 3-4 3-8',
  mug: 'M40 28h34v28a8 8 0 0 1-8 8H48a8 8 0 0 1-8-8zM74 34h5a8 8 0 0 1 0 18h-5M51 20c0-4 4-4 4-8M62 20c0-4 4-4 4-8',
  stickers:
    'M28 20a4 4 0 0 1 4-4h32a4 4 0 0 1 4 4v22L54 56H32a4 4 0 0 1-4-4zM68 42H58a4 4 0 0 0-4 4v10M38 32c0-6 8-7 10-2 2-5 10-4 10 2 0 5-6 8-10 12-4-4-10-7-10-12M86 32l3 7 8 1-6 5 2 8-7-4-7 4 2-8-6-5 8-1z',
  audio:
    'M36 48v-6a24 24 0 0 1 48 0v6M36 46h6a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2h-4a6 6 0 0 1-6-6v-8a6 6 0 0 1 4-6zM84 46h-6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h4a6 6 0 0 0 6-6v-8a6 6 0 0 0-4-6zM54 44v10M60 38v22M66 44v10',
  tools:
    'M30 64l4 4 24-24-4-4zM54 40l10-12a6 6 0 0 1 9 0l1 1a6 6 0 0 1 0 9L62 48zM76 44h18v22H76zM76 50h18M81 56h8M81 61h5M85 44v-6',
  game: 'M26 34l17-9 17 9v20l-17 9-17-9zM26 34l17 9 17-9M43 43v20M43 33v.1M34 47v.1M52 53v.1M72 64l4-13c-7 0-9-4-6-7l7-4a7 7 0 1 1 10 0l7 4c3 3 1 7-6 7l4 13z',
  talk: 'M28 16h36a4 4 0 0 1 4 4v18a4 4 0 0 1-4 4H44l-9 8v-8h-7a4 4 0 0 1-4-4V20a4 4 0 0 1 4-4zM74 30h18a4 4 0 0 1 4 4v18a4 4 0 0 1-4 4h-5v9l-10-9H58a4 4 0 0 1-4-4v-3M34 26h24M34 33h14',
  train:
    'M40 14h40a8 8 0 0 1 8 8v26a8 8 0 0 1-8 8H40a8 8 0 0 1-8-8V22a8 8 0 0 1 8-8zM32 36h56M60 14v22M43 46v.1M77 46v.1M44 56l-9 12M76 56l9 12M40 62h40',
  shirt: 'M46 16l-19 9 7 14 8-3v30h36V36l8 3 7-14-19-9c-2 6-7 8-14 8s-12-2-14-8z',
  book: 'M60 22c-8-6-20-6-28-4v42c8-2 20-2 28 4 8-6 20-6 28-4V18c-8-2-20-2-28 4zM60 22v42M40 29c4 0 8 0 12 2M40 38c4 0 8 0 12 2M80 29c-4 0-8 0-12 2M80 38c-4 0-8 0-12 2',
  film: 'M26 22h68v36H26zM26 30h68M26 50h68M36 22v8M48 22v8M60 22v8M72 22v8M84 22v8M36 50v8M48 50v8M60 50v8M72 50v8M84 50v8M56 35l9 5-9 5z',
  plant: 'M46 48h28l-3 18H49zM60 48V28M60 38c-11 0-15-6-15-14 11 0 15 6 15 14zM60 33c0-10 5-16 15-16 0 10-5 16-15 16z',
  heart: 'M60 66C44 56 31 45 31 33c0-13 17-17 29-3 12-14 29-10 29 3 0 12-13 23-29 33zM42 32c0-4 3-6 6-6',
  software: 'M36 16h48v36H36zM26 62h68M50 62l3-5h14l3 5M52 27l-7 7 7 7M68 27l7 7-7 7M62 25l-4 18',
  bag: 'M38 32h44l4 34H34zM48 38v-8a12 12 0 0 1 24 0v8',
  card: 'M28 20h64v42H28zM28 34h64M58 20v42M58 34c-9-2-12-11-6-13s6 9 6 13c0-4 0-15 6-13s3 11-6 13',
  ticket: 'M26 24h68v10a6 6 0 0 0 0 12v10H26V46a6 6 0 0 0 0-12zM72 24v5M72 35v5M72 46v5M38 36h22M38 44h14',
  gift: 'M34 36h52v30H34zM29 26h62v10H29zM60 26v40M60 26c-11 0-19-4-15-10s15 2 15 10c0-8 11-16 15-10s-4 10-15 10z',
} as const;

type RewardDrawingName = keyof typeof drawings;

/** Words in a reward's text by which its drawing is chosen; the first match wins. */
const words: readonly (readonly [RewardDrawingName, RegExp])[] = [
  ['stickers', /sticker|pin badge|patches? sheet|postcard/],
  ['mug', /\bmug|\bcup\b|flask|bottle/],
  ['bakery', /coffee|bakery|pastry|cafe voucher|lunch|dinner|breakfast|restaurant|pizza/],
  ['audio', /audio|podcast|music|concert|album|headphone/],
  ['tools', /repair|toolbox|\btools?\b|\bkit\b|workshop/],
  ['game', /\bgames?\b|puzzle|dice|playing cards/],
  ['talk', /hour with|call with|\bchat\b|mentor|coaching|consult|meet/],
  ['train', /\brail|train|ticket to ride|\bbus\b|travel/],
  ['film', /film|movie|cinema|stream|video/],
  ['shirt', /shirt|hoodie|sweater|socks|\bcap\b|clothing/],
  ['book', /\bbooks?\b|booklet|magazine|reading|notebook/],
  ['plant', /plant|tree|seed|garden|flower/],
  ['heart', /donat|charity|good cause/],
  ['software', /software|licen[cs]e|subscription|pro plan|months? of|\bapp\b|credits/],
  ['bag', /\bbag\b|tote|backpack|box\b/],
  ['card', /gift ?card/],
  ['ticket', /voucher|coupon|ticket|\bpass\b|discount/],
];

/** What a reward is drawn as: by its title, else by its description. */
export function drawingOf({ title, description }: Pick<Reward, 'title' | 'description'>): RewardDrawingName {
  for (const text of [title, description]) {
    const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    const found = words.find(([, pattern]) => pattern.test(plain));
    if (found) return found[0];
  }
  return 'gift';
}

const papers = ['bg-points-soft', 'bg-action-soft', 'bg-sunken'] as const;

/** A stable number for an id, so that a reward keeps its background. */
function hash(id: string): number {
  let value = 7;
  for (const letter of id) value = (value * 31 + letter.charCodeAt(0)) % 9973;
  return value;
}

/** A reward as a line drawing on one of a few papers. Decorative: the title is next to it. */
function RewardDrawing({
  reward,
  className,
}: {
  reward: Pick<Reward, 'id' | 'title' | 'description'>;
  className?: string;
}) {
  const name = drawingOf(reward);
  const number = hash(reward.id);
  return (
    <div
      aria-hidden="true"
      data-drawing={name}
      className={cn('grid place-items-center', papers[number % papers.length], className)}
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 120 80"
        className="max-h-full w-full text-ink"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <circle cx={46 + (number % 29)} cy="42" r="31" stroke="none" className="fill-card" />
        <path d={drawings[name]} />
      </svg>
    </div>
  );
}
