import { useQuery } from '@tanstack/react-query';
import { DataTable } from '@/components/data-table';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatCards, StatCardsSkeleton } from '@/components/stat-cards';
import { formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useUrlChoice } from '@/lib/url-state';
import { useShownChoice } from '@/lib/use-shown-choice';
import { AdminGate } from '../components/admin-gate';
import { GrowthCharts } from '../components/growth-charts';
import { RecentActivity } from '../components/recent-activity';
import { Section } from '../components/section';
import { keyFigures } from '../data/figures';
import { type PlatformStats, platformQueries } from '../data/queries';
import { AllExport, SectionExports } from '../data/section-exports';

/** Lengths of period that can be chosen, in days (DATA-01). */
const periods = ['7', '30', '90'] as const;
type Period = (typeof periods)[number];

/** The data dashboard: figures of the chosen period, and their export (DATA-01 to DATA-07, C-52, C-53, C-54). */
export default function AdminDataPage() {
  return <AdminGate>{() => <DataDashboard />}</AdminGate>;
}

function DataDashboard() {
  const [period, setPeriod] = useUrlChoice('days', ['30', '7', '90']);
  const days = Number(period);
  const stats = useQuery(platformQueries.stats(days));
  const isChanging = stats.isPlaceholderData;

  return (
    <div className="page-column pb-16">
      <PageMeta title="Data dashboard" />
      <PageHeader
        title="Data dashboard"
        back={{ to: paths.admin, label: 'Back to Admin' }}
        actions={
          <>
            <PeriodChoice value={period} onChange={setPeriod} />
            {stats.data && <AllExport stats={stats.data} />}
          </>
        }
      />
      <QueryView
        query={stats}
        failure="Failed to load data"
        failureText="Please try again later"
        pending={<StatCardsSkeleton count={8} />}
      >
        {(data) => (
          <div className={isChanging ? 'grid gap-5 opacity-60' : 'grid gap-5'} aria-busy={isChanging}>
            <h2 className="sr-only">Figures of the last {data.period_days} days</h2>
            <Figures stats={data} />
            <GrowthCharts days={data.days} />
            <div className="grid gap-5 lg:grid-cols-2">
              <Section title="Recent Activity">
                <RecentActivity
                  days={days}
                  emptyText={`Nothing happened in these ${days} days.`}
                  failure="Failed to load data"
                  failureText="Please try again later"
                />
              </Section>
              <TopQuests stats={data} />
            </div>
            <Section title="Export" lead={`One CSV file for each section, of the last ${data.period_days} days.`}>
              <SectionExports stats={data} />
            </Section>
          </div>
        )}
      </QueryView>
    </div>
  );
}

function Figures({ stats }: { stats: PlatformStats }) {
  const { totals, period, period_days: days } = stats;
  return (
    <>
      <StatCards
        label="Figures"
        stats={[
          {
            label: 'Total Users',
            value: formatNumber(totals.users),
            note: `${formatNumber(period.users)} new in ${days} days`,
          },
          {
            label: 'Verified Projects',
            value: formatNumber(totals.verified_startups),
            note: `${formatNumber(period.verified_startups)} new in ${days} days`,
          },
          {
            label: 'Completed Tasks',
            value: formatNumber(period.completed_tasks),
            note: `in ${days} days; ${formatNumber(totals.completed_tasks)} in all`,
          },
          {
            label: 'Points Awarded',
            value: <Points value={period.points_awarded} />,
            note: `in ${days} days; ${formatNumber(totals.points_awarded)} in all`,
          },
        ]}
      />
      <StatCards label="Key figures" stats={keyFigures(stats)} />
    </>
  );
}

function TopQuests({ stats }: { stats: PlatformStats }) {
  return (
    <Section title="Top Quests">
      {stats.top_campaigns.length === 0 ? (
        <p className="text-muted">No quest had submissions in these {stats.period_days} days.</p>
      ) : (
        <DataTable
          caption="Top Quests"
          rows={stats.top_campaigns}
          rowKey={({ campaign_id }) => campaign_id}
          columns={[
            {
              key: 'title',
              header: 'Quest',
              cell: ({ title, startup_name }) => (
                <div className="font-normal">
                  <p className="font-semibold">{title}</p>
                  <p className="text-muted text-sm">{startup_name}</p>
                </div>
              ),
            },
            { key: 'approved', header: 'Completions', isNumeric: true, cell: (row) => formatNumber(row.approved) },
            { key: 'rate', header: 'Completion rate', isNumeric: true, cell: (row) => `${row.completion_rate}%` },
          ]}
        />
      )}
    </Section>
  );
}

/** Selects the period of the page; arrow keys change it. */
function PeriodChoice({ value, onChange }: { value: Period; onChange: (period: Period) => unknown }) {
  const [shown, choose] = useShownChoice(value, onChange);
  return (
    <fieldset className="flex rounded-control border border-field bg-card p-0.5">
      <legend className="sr-only">Period</legend>
      {periods.map((period) => (
        <label
          key={period}
          className="inline-flex min-h-10 grow cursor-pointer items-center justify-center rounded-[0.4rem] px-3 font-semibold text-muted hover:text-ink has-checked:bg-action-soft has-checked:text-action has-focus-visible:outline-3 has-focus-visible:outline-action"
        >
          <input
            type="radio"
            name="period"
            className="sr-only"
            checked={shown === period}
            onChange={() => choose(period)}
          />
          {period} days
        </label>
      ))}
    </fieldset>
  );
}
