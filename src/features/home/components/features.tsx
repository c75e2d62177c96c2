import { BadgeCheck, ChartColumn, Link2, type LucideIcon, Trophy, WalletMinimal, Zap } from 'lucide-react';
import { Section } from './section';

const features: { title: string; text: string; icon: LucideIcon }[] = [
  {
    title: 'Instant rewards',
    text: 'During the beta proofs are approved at once, and the points arrive with them.',
    icon: Zap,
  },
  {
    title: 'Proof that counts',
    text: 'Links, words and screenshots. Only you, the project and our team see them.',
    icon: Link2,
  },
  { title: 'A wallet you can read', text: 'Every point has a line that says where it came from.', icon: WalletMinimal },
  { title: 'Leaderboard', text: 'See how you stand against the best, with names kept private.', icon: Trophy },
  {
    title: 'Rated projects',
    text: 'Members say how it was, so you know who you work for.',
    icon: BadgeCheck,
  },
  {
    title: 'Numbers for founders',
    text: 'Who took part, where people stop, and every submission as a CSV.',
    icon: ChartColumn,
  },
];

/** Six reasons (HOME-05). */
export function Features() {
  return (
    <Section title="Powerful Features" lead="For members who want to be paid, and founders who want to know.">
      <ul className="grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
        {features.map(({ title, text, icon: Icon }) => (
          <li key={title} className="grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-1">
            <span
              aria-hidden="true"
              className="row-span-2 grid size-11 place-items-center rounded-control bg-action-soft"
            >
              <Icon className="size-5 text-action" />
            </span>
            <h3 className="text-lg">{title}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
