import { useQuery } from '@tanstack/react-query';
import { StatCards } from '@/components/stat-cards';
import { formatNumber } from '@/lib/format';
import { BarList } from '../components/bar-list';
import { GrowthCharts } from '../components/growth-charts';
import { QueryView } from '../components/query-view';
import { Section } from '../components/section';
import { platformQueries } from '../data/queries';
import { adminReferralQueries } from '../referrals/queries';
import { ReferralFunnel } from '../referrals/referral-funnel';

const days = 30;

/** Top industries, the platform's health and its growth (ADMIN-11). */
export function AnalyticsTab() {
  const stats = useQuery(platformQueries.stats(days));
  const referrals = useQuery(adminReferralQueries.report());
  return (
    <QueryView query={stats} failure="The analytics could not be loaded">
      {({ health, top_industries, days: perDay }) => (
        <div className="grid gap-5">
          <section className="grid gap-3">
            <h3 className="text-lg">Platform Health</h3>
            <StatCards
              label="Platform Health"
              stats={[
                { label: 'Active Campaigns', value: formatNumber(health.active_campaigns) },
                { label: 'Pending Reviews', value: formatNumber(health.pending_reviews) },
                { label: 'Verified Projects', value: formatNumber(health.verified_startups) },
                {
                  label: 'Email Collection',
                  value: formatNumber(health.collected_emails),
                  note: 'addresses collected',
                },
              ]}
            />
          </section>
          <div className="grid gap-5 md:grid-cols-2">
            <Section title="Top Industries">
              {top_industries.length === 0 ? (
                <p className="text-muted">No projects yet.</p>
              ) : (
                <BarList
                  unit="projects"
                  bars={top_industries.map(({ industry, startups }) => ({ label: industry, value: startups }))}
                />
              )}
            </Section>
            {referrals.data && <ReferralFunnel overview={referrals.data.overview} />}
          </div>
          <GrowthCharts days={perDay} />
        </div>
      )}
    </QueryView>
  );
}
