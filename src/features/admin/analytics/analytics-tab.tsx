import { useQuery } from '@tanstack/react-query';
import { DataTable } from '@/components/data-table';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatCards } from '@/components/stat-cards';
import { formatCount, formatNumber, formatPoints } from '@/lib/format';
import { BarList, Detail, DetailList, Section } from '../components/section';
import { platformQueries } from '../data/queries';
import { adminReferralQueries } from '../people/queries';
import { ReferralFunnel } from '../people/referral-funnel';

const days = 30;

/** Top industries, the platform's health, how referrals and points move (ADMIN-11); growth is on the overview. */
export default function AnalyticsTab() {
  const stats = useQuery(platformQueries.stats(days));
  const referrals = useQuery(adminReferralQueries.report());
  return (
    <QueryView query={stats} failure="The analytics could not be loaded">
      {({ health, top_industries }) => (
        <div className="grid gap-5">
          <section className="grid gap-3">
            <h3 className="text-lg">Platform Health</h3>
            <StatCards
              label="Platform Health"
              stats={[
                { label: 'Active Quests', value: formatNumber(health.active_campaigns) },
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
            <QueryView query={referrals} failure="The referral funnel could not be loaded">
              {({ overview }) => <ReferralFunnel overview={overview} />}
            </QueryView>
          </div>
          <PointTransfers />
        </div>
      )}
    </QueryView>
  );
}

/** 'task_completion' as 'Task completion'. */
const inWords = (kind: string) => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');

/** All-time point transfers and current balances (C-108). */
function PointTransfers() {
  const transfers = useQuery(platformQueries.transfers());
  return (
    <Section title="Point Transfers">
      <QueryView query={transfers} failure="The transfers could not be loaded">
        {({ total_transfers, total_points, by_kind, balances }) => (
          <>
            <p className="text-muted">
              {formatCount(total_transfers, 'transfer')} of {formatPoints(total_points)} points since the beginning. A
              point counts each time it moves.
            </p>
            <DetailList>
              <Detail label="Members hold">
                <Points value={balances.members} />
              </Detail>
              <Detail label="Projects hold">
                <Points value={balances.startups} />
              </Detail>
              <Detail label="Reserved for quests">
                <Points value={balances.reserves} />
              </Detail>
            </DetailList>
            <DataTable
              caption="Point transfers by kind"
              rows={by_kind}
              rowKey={({ kind }) => kind}
              columns={[
                { key: 'kind', header: 'Kind', cell: ({ kind }) => inWords(kind) },
                {
                  key: 'transfers',
                  header: 'Transfers',
                  isNumeric: true,
                  cell: ({ transfers: count }) => formatNumber(count),
                },
                { key: 'points', header: 'Points', isNumeric: true, cell: ({ points }) => <Points value={points} /> },
              ]}
            />
          </>
        )}
      </QueryView>
    </Section>
  );
}
