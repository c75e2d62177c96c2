import { Gift, Share2, UserRoundPlus } from 'lucide-react';
import { CoinMark } from '@/components/points';
import { formatPoints } from '@/lib/format';

type Bonus = { referrer: number; referred: number };

const steps = [
  { icon: Share2, text: 'Share your link with someone who likes to try new things.' },
  { icon: UserRoundPlus, text: 'They open it and sign up on the same device.' },
  { icon: Gift, text: 'You both get points as soon as their account is made.' },
];

/** What each side earns, and how it works in three steps (REF-01). */
export function ReferralSteps({ bonus }: { bonus: Bonus }) {
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-center gap-x-2 font-display font-semibold text-xl">
        <CoinMark />
        You earn {formatPoints(bonus.referrer)} / They earn {formatPoints(bonus.referred)}
      </p>
      <ol className="grid gap-3" aria-label="How it works">
        {steps.map(({ icon: Icon, text }, index) => (
          <li key={text} className="flex items-start gap-3">
            <span
              aria-hidden="true"
              className="grid size-9 shrink-0 place-items-center rounded-full bg-action-soft font-bold font-display text-action"
            >
              {index + 1}
            </span>
            <span className="grow pt-1.5">{text}</span>
            <Icon aria-hidden="true" className="mt-2 size-5 shrink-0 text-muted max-sm:hidden" />
          </li>
        ))}
      </ol>
    </div>
  );
}
