import { useQuery } from '@tanstack/react-query';
import { formatPercent } from '@/lib/format';
import { BarList, Section } from '../components/section';
import { adminReferralQueries, type ReferralReport } from './queries';

/** Funnel from click to reward: how many remain at each step. */
export function ReferralFunnel({ overview }: { overview: ReferralReport['overview'] }) {
  const health = useQuery(adminReferralQueries.health());
  const completed = overview.total_successful_referrals;
  const signUps = completed + (health.data?.failed_referrals ?? 0);
  const share = (count: number) =>
    overview.total_clicks > 0 ? formatPercent(count / overview.total_clicks) : undefined;
  return (
    <Section title="Referral funnel" lead="From a click on a link to points for both.">
      <BarList
        unit="people"
        bars={[
          { label: 'Clicks on referral links', value: overview.total_clicks },
          { label: 'Sign-ups with a code', value: signUps, note: share(signUps) },
          { label: 'Completed referrals', value: completed, note: share(completed) },
        ]}
      />
    </Section>
  );
}
