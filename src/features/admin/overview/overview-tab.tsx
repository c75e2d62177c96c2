import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { Points } from '@/components/points';
import { formatCount, formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { FigureTiles, FigureTilesSkeleton } from '../components/figure-tiles';
import { GrowthCharts } from '../components/growth-charts';
import { Loaded } from '../components/loaded';
import { RecentActivity } from '../components/recent-activity';
import { Section } from '../components/section';
import { platformQueries } from '../data/queries';
import type { AdminTodo } from '../queries';
import { TodoList } from './todo-list';

/** Days that the overview looks back. */
const overviewDays = 30;
/** Activity is what happened last, however long ago that was. */
const activityDays = 366;

/** How the marketplace does, what waits, what happened last (ADMIN-02). */
export function OverviewTab({ todo }: { todo: AdminTodo }) {
  const stats = useQuery(platformQueries.stats(overviewDays));
  return (
    <div className="grid gap-5">
      <Loaded query={stats} failure="The figures could not be loaded" pending={<FigureTilesSkeleton />}>
        {({ totals, period }) => (
          <FigureTiles
            label="Figures"
            figures={[
              {
                label: 'Total Members',
                value: formatNumber(totals.users),
                note: `${formatNumber(period.users)} new in ${overviewDays} days`,
              },
              {
                label: 'Verified Startups',
                value: formatNumber(totals.verified_startups),
                note: formatCount(todo.pending_startups, 'project', 'projects').concat(' waiting'),
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
      </Loaded>
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
