import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { DataTable } from '@/components/data-table';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatCards } from '@/components/stat-cards';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Meter } from '@/components/ui/progress';
import { Spinner } from '@/components/ui/spinner';
import { formatNumber } from '@/lib/format';
import { Detail, DetailList, Section } from '../components/section';
import { DateText, PersonLink } from '../components/table-cells';
import { adminReferralQueries, type ReferralReport } from './queries';
import { ReferralFunnel } from './referral-funnel';

/** Referral codes, their results, and the health of the referral system (ADMIN-09, ADMIN-10). */
export default function ReferralsTab() {
  const report = useQuery(adminReferralQueries.report());
  return (
    <div className="grid gap-5">
      <Button variant="secondary" className="justify-self-start" onClick={() => window.location.reload()}>
        <RotateCw aria-hidden="true" />
        Refresh Stats
      </Button>
      <QueryView
        query={report}
        failure="The referral statistics could not be loaded"
        pending={<Spinner label="Loading referral statistics..." />}
      >
        {(data) => <Report data={data} />}
      </QueryView>
    </div>
  );
}

function Report({ data }: { data: ReferralReport }) {
  const { overview, top_referrers, recent_referrals } = data;
  return (
    <>
      <StatCards
        label="Referral figures"
        stats={[
          { label: 'Total Codes', value: formatNumber(overview.total_referral_codes) },
          { label: 'Total Clicks', value: formatNumber(overview.total_clicks) },
          { label: 'Successful Referrals', value: formatNumber(overview.total_successful_referrals) },
          { label: 'Points Distributed', value: <Points value={overview.total_points_distributed} /> },
        ]}
      />
      <div className="grid gap-5 md:grid-cols-2">
        <Section title="Performance Metrics">
          <DetailList>
            <Detail label="Conversion rate">{overview.conversion_rate}%</Detail>
            <Detail label="Average clicks per code">{overview.avg_clicks_per_code}</Detail>
            <Detail label="Active codes">{formatNumber(overview.active_codes)}</Detail>
          </DetailList>
        </Section>
        <ReferralHealthCard />
      </div>
      <ReferralFunnel overview={overview} />
      <Section title="Top Referrers">
        {top_referrers.length === 0 ? (
          <p className="text-muted">Nobody has referred a member yet.</p>
        ) : (
          <DataTable
            caption="Top Referrers"
            rows={top_referrers}
            rowKey={({ user_id }) => user_id}
            columns={[
              { key: 'name', header: 'Member', cell: (row) => <PersonLink userId={row.user_id} name={row.username} /> },
              { key: 'code', header: 'Code', cell: (row) => <code>{row.referral_code}</code> },
              {
                key: 'referrals',
                header: 'Successful referrals',
                isNumeric: true,
                cell: (row) => formatNumber(row.successful_referrals),
              },
              {
                key: 'points',
                header: 'Points earned',
                isNumeric: true,
                cell: (row) => <Points value={row.total_points_earned} />,
              },
            ]}
          />
        )}
      </Section>
      <Section title="Recent Referrals">
        {recent_referrals.length === 0 ? (
          <p className="text-muted">No referral has been completed yet.</p>
        ) : (
          <DataTable
            caption="Recent Referrals"
            rows={recent_referrals}
            rowKey={(row) => `${row.completed_at}${row.referred_username}`}
            columns={[
              {
                key: 'who',
                header: 'Referrer → referred',
                cell: (row) => `${row.referrer_username} → ${row.referred_username}`,
              },
              { key: 'code', header: 'Code', cell: (row) => <code>{row.referral_code}</code> },
              {
                key: 'points',
                header: 'Points awarded',
                isNumeric: true,
                cell: (row) => <Points value={row.points_awarded} />,
              },
              { key: 'when', header: 'Completed', cell: (row) => <DateText at={row.completed_at} /> },
            ]}
          />
        )}
      </Section>
    </>
  );
}

/** Health score of the referral system (ADMIN-10). */
function ReferralHealthCard() {
  const health = useQuery(adminReferralQueries.health());
  return (
    <Section title="System Health">
      <QueryView query={health} failure="The referral health could not be loaded">
        {({ health_score: score, users_without_codes, failed_referrals }) => {
          const tone = healthTone(score);
          return (
            <>
              <div className="grid gap-2">
                <div className="flex items-center justify-between gap-3">
                  <span className="font-bold font-display text-2xl tabular-nums">{score}%</span>
                  <Badge tone={tone}>{healthLabels[tone]}</Badge>
                </div>
                <Meter label="Health score" value={score} tone={tone} />
              </div>
              <DetailList>
                <Detail label="Users without codes">{formatNumber(users_without_codes)}</Detail>
                <Detail label="Failed referrals">{formatNumber(failed_referrals)}</Detail>
              </DetailList>
            </>
          );
        }}
      </QueryView>
    </Section>
  );
}

/** Green from 90, yellow from 75, red below (ADMIN-10). */
function healthTone(score: number): 'action' | 'warning' | 'danger' {
  if (score >= 90) return 'action';
  return score >= 75 ? 'warning' : 'danger';
}

/** The colour in words, for those who do not see it. */
const healthLabels = { action: 'Healthy', warning: 'Needs attention', danger: 'Unhealthy' } as const;
