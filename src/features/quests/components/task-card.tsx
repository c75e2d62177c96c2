import { Markdown } from '@/components/markdown';
import { Notice } from '@/components/notice';
import { Points } from '@/components/points';
import { SpotMeter } from '@/components/spot-meter';
import { StatusStamp } from '@/components/status-stamp';
import { Card } from '@/components/ui/card';
import type { Task } from '@/features/campaigns';
import { type Submission, taskStamp } from '@/features/submissions';
import { remainingSlots } from '../quest';
import { taskAnchor } from '../quest-progress';
import type { QuestView } from '../use-quest';
import { TaskAction } from './task-action';

type TaskCardProps = { number: number; task: Task; submission: Submission | undefined; view: QuestView };

/** One task: what to do, what it pays, where it stands, and the way to prove it (QUEST-05). */
export function TaskCard({ number, task, submission, view }: TaskCardProps) {
  const left = remainingSlots({ ...task, ...view.counts[task.id] });
  const titleId = `${taskAnchor(task.id)}-title`;
  return (
    <Card
      as="li"
      id={taskAnchor(task.id)}
      tabIndex={-1}
      aria-labelledby={titleId}
      className="grid scroll-mt-20 gap-4 focus:outline-none focus-visible:outline-3"
    >
      <div className="flex items-start gap-3">
        <span
          aria-hidden="true"
          className="grid size-9 shrink-0 place-items-center rounded-full border-2 border-ink font-bold font-display tabular-nums"
        >
          {number}
        </span>
        <div className="flex min-w-0 grow flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h3 id={titleId} className="min-w-0 pt-1 text-xl">
            {task.title}
          </h3>
          {view.viewer === 'participant' && (
            <StatusStamp
              key={submission?.status}
              status={taskStamp(submission)}
              className={submission && 'animate-stamp'}
            />
          )}
        </div>
      </div>
      {task.instructions_md && <Markdown text={task.instructions_md} />}
      {submission?.status === 'rejected' && (
        <Notice tone="danger" title="Your proof was not accepted">
          {submission.review_note}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Points value={task.reward_points} className="text-lg" />
        <div className="min-w-40 max-w-64 grow">
          <SpotMeter left={left} total={task.max_completions} />
        </div>
      </div>
      <TaskAction task={task} submission={submission} left={left} view={view} />
    </Card>
  );
}
