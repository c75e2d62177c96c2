import { CoinMark } from '@/components/points';
import { Section } from './section';

const steps = [
  {
    title: 'Pick a quest',
    text: 'Browse the board. Every card says what to do, what it pays and how many spots are left.',
  },
  { title: 'Do the task', text: 'Try a product, write a review, share a link. Most tasks take a few minutes.' },
  { title: 'Show your proof', text: 'A link, a few words or a screenshot, whichever the project asks for.' },
  { title: 'Collect points', text: 'Once approved, the points are in your wallet, each with the reason beside it.' },
];

/** The four steps, and what the points are for (HOME-05). */
export function HowItWorks() {
  return (
    <Section title="How It Works">
      <ol className="grid gap-x-6 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="grid content-start gap-2 border-t-2 border-t-points pt-4">
            <span aria-hidden="true" className="font-bold font-display text-4xl leading-none tabular-nums">
              {index + 1}
            </span>
            <h3 className="text-xl">{title}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ol>
      <p className="mt-10 flex items-start gap-3 rounded-card bg-points-soft p-4 text-lg sm:items-center sm:p-5">
        <CoinMark className="mt-0.5 size-7 sm:mt-0" />
        <span>
          <strong>Nothing you earn is lost.</strong> After launch your points become rewards or cash.
        </span>
      </p>
    </Section>
  );
}
