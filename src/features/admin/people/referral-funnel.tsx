import { useQuery } from '@tanstack/react-query';
import { QueryView } from '@/components/query-view';
import { formatPercent } from '@/lib/format';
import { BarList, Section } from '../components/section';
import { adminReferralQueries, type ReferralReport } from './queries';

/** Funnel from click to reward: how many remain at each step. */
export function ReferralFunnel({ overview }: { overview: ReferralReport['overview'] }) {
  const health = useQuery(adminReferralQueries.health());
  const { total_clicks: clicks, total_successful_referrals: completed } = overview;
  const share = (count: number) => (clicks > 0 ? formatPercent(count / clicks) : undefined);
  return (
    <Section title="Referral funnel" lead="From a click on a link to points for both.">
      <QueryView query={health} failure="The referral funnel could not be loaded">
        {({ failed_referrals }) => {
          const signUps = completed + failed_referrals;
          return (
            <BarList
              unit="people"
              bars={[
                { label: 'Clicks on referral links', value: clicks },
                { label: 'Sign-ups with a code', value: signUps, note: share(signUps) },
                { label: 'Completed referrals', value: completed, note: share(completed) },
              ]}
            />
          );
        }}
      </QueryView>
    </Section>
  );
}
