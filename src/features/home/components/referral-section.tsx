import { useQuery } from '@tanstack/react-query';
import { Points } from '@/components/points';
import { settingsQueries } from '@/features/settings';
import { JoinCommunity } from './home-actions';
import { Section } from './section';

/** What both sides of a referral get (HOME-05). */
export function ReferralSection() {
  const { data: settings } = useQuery(settingsQueries.app());
  const sides = [
    { label: 'You earn', points: settings?.referrer_points ?? 500 },
    { label: 'They earn', points: settings?.referred_points ?? 250 },
  ];
  return (
    <Section title="Referral Program" className="pb-4">
      <div className="board-grain grid items-center gap-6 rounded-card border p-5 sm:p-8 lg:grid-cols-[1fr_auto]">
        <div className="grid max-w-prose gap-5">
          <p className="text-lg">Share your link. When someone signs up through it, both of you get points.</p>
          <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
            <JoinCommunity place="referral" />
          </div>
        </div>
        <dl className="grid grid-cols-2 gap-4">
          {sides.map(({ label, points }, index) => (
            <div
              key={label}
              className={`grid justify-items-center gap-1 rounded-md border bg-card px-6 py-5 shadow-card ${index === 0 ? '-rotate-2' : 'rotate-1'}`}
            >
              <dt className="text-muted">{label}</dt>
              <dd>
                <Points value={points} className="font-display text-3xl" />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Section>
  );
}
