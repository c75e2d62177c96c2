import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatusBadge } from '@/components/status-badge';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import type { Quest, Task } from '@/features/quests';
import { proofPreview, reviewStatus, submissionQueries } from '@/features/submissions';
import { formatAge, formatCount, formatDay, formatNumber, formatSpan } from '@/lib/format';
import { type DayCount, participationByDay } from '../quest';

/** How an owner's quest is doing, and its latest proofs. */
export default function OwnerAnalytics({ quest, tasks }: { quest: Quest; tasks: Task[] }) {
  return (
    <>
      <QuestAnalytics quest={quest} tasks={tasks} />
      <Card as="section" aria-labelledby="recent-submissions" className="grid gap-3">
        <h2 id="recent-submissions" className="text-xl">
          Recent submissions
        </h2>
        <RecentSubmissions questId={quest.id} tasks={tasks} />
      </Card>
    </>
  );
}

/** Days in the chart. */
const chartDays = 30;

/** Figures and charts of an owner's quest, all computed by the database (QUEST-12, C-108). */
function QuestAnalytics({ quest, tasks }: { quest: Quest; tasks: Task[] }) {
  return (
    <Card as="section" aria-labelledby="quest-analytics" className="grid gap-5">
      <h2 id="quest-analytics" className="text-xl">
        Quest Analytics
      </h2>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-5">
        <Figure label="Submissions">{formatNumber(quest.submission_count)}</Figure>
        <Figure label="Approved">{formatNumber(quest.approved_count)}</Figure>
        <Figure label="Pending">{formatNumber(quest.pending_count)}</Figure>
        <Figure label="Participants">{formatNumber(quest.participant_count)}</Figure>
        <Figure label="Points distributed">
          <Points value={quest.points_distributed} />
        </Figure>
      </dl>
      <p className="text-muted text-sm">
        Participants have sent at least one proof. Submissions are approved, pending or rejected. Points distributed are
        what members were paid, less what was taken back.
      </p>
      {quest.submission_count > 0 && (
        <>
          <Performance questId={quest.id} />
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

function Performance({ questId }: { questId: string }) {
  const performance = useQuery(submissionQueries.performance(questId));
  return (
    <QueryView query={performance} failure="The analytics could not be loaded" pending={<Skeleton className="h-44" />}>
      {({ completion_rate, rejected, median_review_seconds, days }) => (
        <>
          <p className="text-muted">
            {completion_rate} % of the proofs were approved, {formatNumber(rejected)} rejected.
            {median_review_seconds !== null && ` Median review time: ${formatSpan(median_review_seconds)}.`}
          </p>
          <ParticipationChart days={participationByDay(days, chartDays, new Date())} />
        </>
      )}
    </QueryView>
  );
}

/** Submissions per day as bars, with a text alternative below. */
function ParticipationChart({ days }: { days: DayCount[] }) {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const best = days.reduce<DayCount | null>((top, day) => (day.count > (top?.count ?? 0) ? day : top), null);
  return (
    <figure className="grid gap-2">
      <figcaption className="font-semibold">Submissions per day</figcaption>
      <div aria-hidden="true" className="flex h-28 items-end gap-px border-b sm:gap-1">
        {days.map(({ day, count }) => (
          <div
            key={day}
            title={`${formatDay(day)}: ${formatCount(count, 'submission')}`}
            className="flex h-full grow items-end"
          >
            <div className="w-full rounded-t-sm bg-action" style={{ height: `${(count / most) * 100}%` }} />
          </div>
        ))}
      </div>
      <p className="text-muted text-sm">
        {formatCount(total, 'submission')} in {days.length} days
        {best && `, most on ${formatDay(best.day)} (${formatNumber(best.count)})`}
      </p>
    </figure>
  );
}

/** The latest three submissions of an owner's quest. */
function RecentSubmissions({ questId, tasks }: { questId: string; tasks: Task[] }) {
  const recent = useQuery(submissionQueries.recent(questId));
  const titles = new Map(tasks.map((task) => [task.id, task.title]));
  return (
    <QueryView query={recent} failure="The submissions could not be loaded" pending={<Skeleton className="h-24" />}>
      {(submissions) =>
        submissions.length === 0 ? (
          <p className="text-muted">Nobody has submitted a proof yet.</p>
        ) : (
          <ul className="divide-y">
            {submissions.map((submission) => (
              <li key={submission.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
                <span className="min-w-0">
                  <span className="block truncate font-medium">{titles.get(submission.task_id) ?? 'Unknown Task'}</span>
                  <span className="text-muted text-sm">
                    {proofPreview(submission)} · {formatAge(submission.submitted_at)}
                  </span>
                </span>
                <StatusBadge status={reviewStatus(submission)} />
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}

/** Slots of each task: approved, in review, free. Shows where members stop. */
function TaskFunnel({ tasks }: { tasks: Task[] }) {
  return (
    <section aria-labelledby="task-funnel" className="grid gap-2">
      <h3 id="task-funnel" className="text-base">
        Task by task
      </h3>
      <ol className="grid gap-3">
        {tasks.map((task) => (
          <li key={task.id} className="grid gap-1">
            <div className="flex flex-wrap justify-between gap-x-4 text-sm">
              <span className="min-w-0 truncate font-medium">{task.title}</span>
              <span className="text-muted tabular-nums">
                {formatNumber(task.approved_count)} approved
                {task.pending_count > 0 && `, ${formatNumber(task.pending_count)} in review`} of{' '}
                {formatNumber(task.max_completions)}
              </span>
            </div>
            <div aria-hidden="true" className="flex h-2.5 overflow-hidden rounded-full bg-sunken">
              <div className="bg-action" style={{ width: `${(task.approved_count / task.max_completions) * 100}%` }} />
              <div className="bg-points" style={{ width: `${(task.pending_count / task.max_completions) * 100}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
