import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatCards, StatCardsSkeleton } from '@/components/stat-cards';
import { formatCount, formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { GrowthCharts } from '../components/growth-charts';
import { RecentActivity } from '../components/recent-activity';
import { Section } from '../components/section';
import { platformQueries } from '../data/queries';
import type { PendingCounts } from '../queries';
import { adminTabPath } from '../tabs';

/** Days that the overview looks back. */
const overviewDays = 30;
/** Days of activity: a year, so that the latest is shown even on a quiet site. */
const activityDays = 366;

/** Key figures, pending work, recent activity (ADMIN-02). */
export function OverviewTab({ todo }: { todo: PendingCounts }) {
  const stats = useQuery(platformQueries.stats(overviewDays));
  return (
    <div className="grid gap-5">
      <QueryView query={stats} failure="The figures could not be loaded" pending={<StatCardsSkeleton />}>
        {({ totals, period }) => (
          <StatCards
            label="Figures"
            stats={[
              {
                label: 'Total Members',
                value: formatNumber(totals.users),
                note: `${formatNumber(period.users)} new in ${overviewDays} days`,
              },
              {
                label: 'Verified Projects',
                value: formatNumber(totals.verified_startups),
                note: `${formatCount(todo.pending_startups, 'project')} waiting`,
              },
              {
                label: 'Active Quests',
                value: formatNumber(totals.published_campaigns),
                note: `${formatNumber(period.completed_tasks)} completions in ${overviewDays} days`,
              },
              {
                label: 'Points Awarded',
                value: <Points value={totals.points_awarded} />,
                note: `${formatNumber(period.points_awarded)} in ${overviewDays} days`,
              },
            ]}
          />
        )}
      </QueryView>
      <div className="grid items-start gap-5 xl:grid-cols-[19rem_1fr]">
        <TodoList todo={todo} />
        <Section title="Recent activity">
          <RecentActivity
            days={activityDays}
            emptyText="Nothing has happened yet."
            failure="The recent activity could not be loaded"
          />
        </Section>
      </div>
      {stats.data && <GrowthCharts days={stats.data.days} />}
      <p>
        <Link to={paths.adminData} className="font-semibold text-action underline underline-offset-4">
          Open the data dashboard
        </Link>{' '}
        for other periods and exports.
      </p>
    </div>
  );
}

/** Pending work for an admin, each line a link to it. */
function TodoList({ todo }: { todo: PendingCounts }) {
  const lines = [
    { words: 'Projects to review', count: todo.pending_startups, to: adminTabPath('projects', { status: 'pending' }) },
    { words: 'Changed projects', count: todo.changed_startups, to: adminTabPath('projects', { status: 'changed' }) },
    { words: 'Appeals to decide', count: todo.open_appeals, to: adminTabPath('appeals') },
    {
      words: 'Proofs past their review time',
      count: todo.overdue_reviews,
      to: adminTabPath('submissions', { status: 'overdue' }),
    },
    { words: 'Redemptions to fulfil', count: todo.pending_redemptions, to: adminTabPath('redemptions') },
    { words: 'Returned payments to decide', count: todo.returned_payments, to: adminTabPath('payments') },
    { words: 'New feedback', count: todo.new_feedback, to: adminTabPath('feedback', { status: 'new' }) },
    {
      words: 'Submissions in review',
      count: todo.pending_submissions,
      to: adminTabPath('submissions', { status: 'pending' }),
    },
    { words: 'Quests on hold', count: todo.held_campaigns, to: adminTabPath('quests', { status: 'held' }) },
    { words: 'Failed mails', count: todo.failed_mails, to: adminTabPath('mail') },
  ];
  return (
    <Section title="Waiting for you">
      <ul className="-mx-2">
        {lines.map(({ words, count, to }) => (
          <li key={words}>
            <Link
              to={to}
              className="flex min-h-11 items-center justify-between gap-3 rounded-control px-2 hover:bg-sunken"
            >
              <span>{words}</span>
              <span className="inline-flex items-center gap-1">
                <strong className={count > 0 ? 'tabular-nums' : 'font-normal text-muted'}>{formatNumber(count)}</strong>
                <ChevronRight aria-hidden="true" className="size-4 text-muted" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
