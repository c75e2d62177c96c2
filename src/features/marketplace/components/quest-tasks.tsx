import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { Markdown } from '@/components/markdown';
import { Notice } from '@/components/notice';
import { Points } from '@/components/points';
import { SpotProgress } from '@/components/spot-progress';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { remainingSlots, type Task } from '@/features/quests';
import { ProofDialog, QuickVerify, reviewText, type Submission, taskStatus } from '@/features/submissions';
import { taskAnchor } from '../quest-progress';
import type { QuestView } from '../use-quest';

/** The tasks, numbered, each with what this viewer can do about it (QUEST-04). */
export function TaskList({ view }: { view: QuestView }) {
  if (view.tasks.length === 0) {
    return <EmptyState title="No Tasks Yet" text="The project has not added any tasks to this quest." />;
  }
  const byTask = new Map(view.submissions.map((submission) => [submission.task_id, submission]));
  return (
    <section aria-labelledby="quest-tasks" className="grid gap-4">
      <h2 id="quest-tasks" className="text-2xl">
        Tasks
      </h2>
      <ol className="grid gap-4">
        {view.tasks.map((task, index) => (
          <TaskCard key={task.id} number={index + 1} task={task} submission={byTask.get(task.id)} view={view} />
        ))}
      </ol>
    </section>
  );
}

type TaskCardProps = { number: number; task: Task; submission: Submission | undefined; view: QuestView };

/** One task: what to do, what it pays, where it stands, and the way to prove it (QUEST-05). */
function TaskCard({ number, task, submission, view }: TaskCardProps) {
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
            <StatusBadge
              key={submission?.status}
              status={taskStatus(submission)}
              className={submission && 'animate-stamp'}
            />
          )}
        </div>
      </div>
      {task.instructions_md && <Markdown text={task.instructions_md} />}
      {submission?.status === 'rejected' && (
        <Notice tone="danger" title="Your proof was not accepted">
          {reviewText(submission)}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Points value={task.reward_points} className="text-lg" />
        <div className="min-w-40 max-w-64 grow">
          <SpotProgress left={left} total={task.max_completions} />
        </div>
      </div>
      <TaskAction task={task} submission={submission} left={left} view={view} />
    </Card>
  );
}

type TaskActionProps = { task: Task; submission: Submission | undefined; left: number; view: QuestView };

/**
 * The way to prove a task, if there is one. The dialog stands apart from the button that opens it: when the task was
 * proven elsewhere or filled up meanwhile the button goes, but what the server answered must stay readable (RULE-12).
 */
function TaskAction({ task, submission, left, view }: TaskActionProps) {
  const { quest, viewer, userId } = view;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <TaskButton task={task} submission={submission} left={left} view={view} onOpen={() => setIsOpen(true)} />
      {viewer === 'participant' && userId && (
        <ProofDialog task={task} quest={quest} userId={userId} isOpen={isOpen} onOpenChange={setIsOpen} />
      )}
    </>
  );
}

/** The button of a task. Owners and visitors have none, except to see that it is full (QUEST-06, QUEST-10, TRUST-06). */
function TaskButton({ task, submission, left, view, onOpen }: TaskActionProps & { onOpen: () => void }) {
  const { quest, viewer } = view;
  if (viewer === 'owner' || submission?.status === 'approved') return null;
  if (submission?.status === 'pending') {
    return <p className="text-muted">Your proof is in. The project reviews it next.</p>;
  }
  if (quest.status !== 'published') return <p className="text-muted">This quest takes no proof at the moment.</p>;
  if (left <= 0) {
    return (
      <Button disabled variant="secondary" className="justify-self-start max-sm:w-full">
        Quest Full
      </Button>
    );
  }
  if (viewer === 'visitor') return null;
  // One press, beside the dialog, where the task asks for no proof (C-05).
  const isQuick = !task.requires_proof;
  return (
    <div className="grid gap-3 sm:flex sm:flex-wrap sm:items-end">
      {isQuick && <QuickVerify task={task} quest={quest} />}
      <Button variant={isQuick ? 'secondary' : 'primary'} onClick={onOpen}>
        {submission ? 'Submit New Proof' : 'Submit Proof'}
      </Button>
    </div>
  );
}
