import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from '@/components/error-state';
import { Points } from '@/components/points';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import type { Campaign, Task } from '@/features/campaigns';
import { submissionQueries } from '@/features/submissions';
import { formatNumber } from '@/lib/format';
import { participationByDay } from '../participation';
import { ParticipationChart } from './participation-chart';
import { TaskFunnel } from './task-funnel';

/** Days that the chart shows. */
const chartDays = 30;

/**
 * Figures and pictures of an own quest (QUEST-12). The figures are the quest's own counters, which the database keeps
 * exactly; only the chart reads submissions, up to 1000 per task.
 */
export function QuestAnalytics({ campaign, tasks }: { campaign: Campaign; tasks: Task[] }) {
  return (
    <Card as="section" aria-labelledby="quest-analytics" className="grid gap-5">
      <h2 id="quest-analytics" className="text-xl">
        Quest Analytics
      </h2>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-5">
        <Figure label="Submissions">{formatNumber(campaign.submission_count)}</Figure>
        <Figure label="Approved">{formatNumber(campaign.approved_count)}</Figure>
        <Figure label="Pending">{formatNumber(campaign.pending_count)}</Figure>
        <Figure label="Participants">{formatNumber(campaign.participant_count)}</Figure>
        <Figure label="Points distributed">
          <Points value={campaign.points_distributed} />
        </Figure>
      </dl>
      {campaign.submission_count > 0 && (
        <>
          <Participation taskIds={tasks.map(({ id }) => id)} />
          <TaskFunnel tasks={tasks} />
        </>
      )}
    </Card>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="flex h-9 items-center font-bold font-display text-2xl tabular-nums">{children}</dd>
    </div>
  );
}

function Participation({ taskIds }: { taskIds: string[] }) {
  const points = useQuery(submissionQueries.chart(taskIds));
  if (points.isPending) return <Skeleton className="h-36" />;
  if (points.isError && !points.data) {
    return (
      <ErrorState
        title="The chart could not be loaded"
        error={points.error}
        onRetry={() => points.refetch()}
        isRetrying={points.isFetching}
      />
    );
  }
  return <ParticipationChart days={participationByDay(points.data, chartDays, new Date())} />;
}
