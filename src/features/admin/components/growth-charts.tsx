import type { PlatformDay } from '../data/queries';
import { DayChart } from './day-chart';

/** Whether the marketplace grows: members, completions, points in and out, day by day. */
export function GrowthCharts({ days }: { days: readonly PlatformDay[] }) {
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <DayChart
        title="New members"
        days={days}
        series={[{ name: 'Members', value: (day) => day.new_users, tone: 'action' }]}
      />
      <DayChart
        title="Completed tasks"
        days={days}
        series={[{ name: 'Completions', value: (day) => day.completions, tone: 'action' }]}
      />
      <div className="md:col-span-2">
        <DayChart
          title="Points issued and redeemed"
          unit="points"
          days={days}
          series={[
            { name: 'Issued', value: (day) => day.points_issued, tone: 'points' },
            { name: 'Redeemed', value: (day) => day.points_redeemed, tone: 'action' },
          ]}
        />
      </div>
    </div>
  );
}
