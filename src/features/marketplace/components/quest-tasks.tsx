import { useEffect, useRef, useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { MainAction } from '@/components/main-action';
import { Markdown } from '@/components/markdown';
import { Points } from '@/components/points';
import { SpotProgress } from '@/components/spot-progress';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { RewardDisclosure, remainingSlots, type Task, takesProofs } from '@/features/quests';
import {
  CompletionCode,
  canTryAgain,
  isAppealOpen,
  isOverdue,
  ProjectVerification,
  ProofDialog,
  QuickVerify,
  RejectionNotice,
  SentProof,
  type Submission,
  taskStatus,
} from '@/features/submissions';
import { formatDateTime } from '@/lib/format';
import type { NextStep } from '../quest';
import type { QuestView } from '../use-quest';
import { taskAnchor } from './quest-progress';

/** The tasks, numbered, each with the actions open to this viewer (QUEST-04). */
export function TaskList({ view, step }: { view: QuestView; step: NextStep }) {
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
          <TaskCard
            key={task.id}
            number={index + 1}
            task={task}
            submission={byTask.get(task.id)}
            view={view}
            isNext={(step.kind === 'prove' || step.kind === 'retry') && step.taskId === task.id}
          />
        ))}
      </ol>
    </section>
  );
}

type TaskCardProps = {
  number: number;
  task: Task;
  submission: Submission | undefined;
  view: QuestView;
  /** Its button is the page's primary action. */
  isNext: boolean;
};

/** One task: instructions, reward, status, and the action to prove it (QUEST-05). */
function TaskCard({ number, task, submission, view, isNext }: TaskCardProps) {
  const left = remainingSlots({ ...task, ...view.counts[task.id] });
  const titleId = `${taskAnchor(task.id)}-title`;
  const isOnlyTitle = view.tasks.length === 1 && task.title === view.quest.title;
  const badge = useApprovalFlight(submission?.status);
  return (
    <Card as="li" id={taskAnchor(task.id)} tabIndex={-1} aria-labelledby={titleId} className="grid scroll-mt-20 gap-4">
      <div className="flex items-start gap-3">
        <span
          aria-hidden="true"
          className="grid size-9 shrink-0 place-items-center rounded-full border-2 border-ink font-bold font-display tabular-nums"
        >
          {number}
        </span>
        <div className="flex min-w-0 grow flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h3 id={titleId} className={isOnlyTitle ? 'sr-only' : 'min-w-0 pt-1 text-xl'}>
            {task.title}
          </h3>
          {isOnlyTitle && (
            <p aria-hidden="true" className="pt-1 font-bold font-display text-xl">
              What to do
            </p>
          )}
          {view.viewer === 'participant' && (
            <span ref={badge}>
              <StatusBadge
                key={submission?.status}
                status={taskStatus(submission)}
                className={submission && 'animate-stamp'}
              />
            </span>
          )}
        </div>
      </div>
      {task.instructions_md && <Markdown text={task.instructions_md} />}
      <RewardDisclosure task={task} />
      {submission && <RejectionNotice submission={submission} />}
      {submission && <SentProof submission={submission} />}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Points value={task.reward_points} className="text-lg" />
        <div className="min-w-40 max-w-64 grow">
          <SpotProgress left={left} total={task.max_completions} />
        </div>
      </div>
      <TaskAction task={task} submission={submission} left={left} view={view} isNext={isNext} />
    </Card>
  );
}

/** Plays the coin animation once when the task is approved while the page is open. */
function useApprovalFlight(status: Submission['status'] | undefined) {
  const badge = useRef<HTMLSpanElement>(null);
  const before = useRef(status);
  useEffect(() => {
    if (status === 'approved' && before.current !== 'approved' && badge.current) flyCoin(badge.current);
    before.current = status;
  }, [status]);
  return badge;
}

type TaskActionProps = {
  task: Task;
  submission: Submission | undefined;
  left: number;
  view: QuestView;
  isNext: boolean;
};

/**
 * The action to prove a task, if there is one. The dialog is a sibling of the button that opens it, because the button
 * disappears when the task was proven elsewhere or filled up, but the server's answer must stay readable (RULE-12).
 */
function TaskAction(props: TaskActionProps) {
  const { task, submission, view } = props;
  const { quest, viewer, userId } = view;
  const [isOpen, setIsOpen] = useState(false);
  const card = () => document.getElementById(taskAnchor(task.id));
  return (
    <>
      <TaskButton {...props} onOpen={() => setIsOpen(true)} onVerified={() => card()?.focus({ preventScroll: true })} />
      {viewer === 'participant' && userId && (
        <ProofDialog
          task={task}
          quest={quest}
          userId={userId}
          rejected={submission?.status === 'rejected' ? submission : undefined}
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          returnFocusTo={card}
        />
      )}
    </>
  );
}

type TaskButtonProps = TaskActionProps & { onOpen: () => void; onVerified: () => void };

/** Who decides about a pending proof, and by when. One that must not be approved automatically still waits after its time. */
function waitingText({ review_due_at: dueAt }: Submission): string {
  if (!dueAt) return 'The project will review it.';
  const due = formatDateTime(dueAt);
  return isOverdue(dueAt)
    ? `It was due on ${due}, and still waits for a decision.`
    : `The project will review it by ${due}; after that it is approved automatically, unless we have to look at it first.`;
}

/** The button of a task. Owners and visitors have none, except to see that it is full (QUEST-06, QUEST-10, TRUST-06). */
function TaskButton({ task, submission, left, view, isNext, onOpen, onVerified }: TaskButtonProps) {
  const { quest, viewer, userId } = view;
  if (viewer === 'owner' || submission?.status === 'approved') return null;
  if (submission?.status === 'pending') {
    return <p className="text-muted">Your proof is in. {waitingText(submission)}</p>;
  }
  if (submission && isAppealOpen(submission)) {
    // A closed quest takes no new proof whatever the decision is.
    return (
      <p className="text-muted">
        Your appeal is being decided.{takesProofs(quest) && ' You can send a new proof after that.'}
      </p>
    );
  }
  if (!takesProofs(quest)) return <p className="text-muted">This quest is not accepting proofs right now.</p>;
  if (submission ? !canTryAgain(submission, left > 0) : left <= 0) {
    return (
      <Button disabled variant="secondary" className="justify-self-start max-sm:w-full">
        Quest Full
      </Button>
    );
  }
  if (viewer === 'visitor' || !userId) return null;
  const action = { task, quest, userId, isMain: isNext };
  if (task.verification === 'code') return <CompletionCode {...action} onCompleted={onVerified} />;
  if (task.verification === 'call' || task.verification === 'check') {
    return <ProjectVerification {...action} onCompleted={onVerified} />;
  }
  // One press without a dialog when the task asks for no proof (C-05).
  const isQuick = !task.requires_proof;
  const isMain = isNext && !isQuick;
  const open = (
    <Button variant={isMain ? 'primary' : 'secondary'} onClick={onOpen}>
      {submission ? 'Submit New Proof' : 'Submit Proof'}
    </Button>
  );
  return (
    <div className="grid gap-3 empty:hidden sm:flex sm:flex-wrap sm:items-end">
      {isQuick && <QuickVerify {...action} onSubmitted={onVerified} />}
      {isMain ? <MainAction>{open}</MainAction> : open}
    </div>
  );
}

/** Duration of the animation in milliseconds. */
const flightTime = 800;

/**
 * Animates a coin from an element to the points in the header. Skipped with reduced motion, or when there is no target.
 */
function flyCoin(from: Element): void {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const chip = document.querySelector('[data-points-chip]');
  if (!chip) return;
  const start = from.getBoundingClientRect();
  const end = chip.getBoundingClientRect();
  const coin = document.createElement('span');
  coin.setAttribute('aria-hidden', 'true');
  coin.className =
    'pointer-events-none fixed z-50 size-6 rounded-full border-2 border-on-points/50 bg-points shadow-card';
  coin.style.left = `${start.left + start.width / 2 - 12}px`;
  coin.style.top = `${start.top + start.height / 2 - 12}px`;
  document.body.append(coin);
  const x = end.left + end.width / 2 - (start.left + start.width / 2);
  const y = end.top + end.height / 2 - (start.top + start.height / 2);
  const flight = coin.animate(
    [
      { transform: 'scale(0.4)', opacity: 0 },
      { transform: `translate(${x * 0.15}px, ${y * 0.1 - 40}px) scale(1.6)`, opacity: 1, offset: 0.35 },
      { transform: `translate(${x}px, ${y}px) scale(0.6)`, opacity: 0.9 },
    ],
    { duration: flightTime, easing: 'cubic-bezier(0.5, 0, 0.3, 1)' },
  );
  flight.onfinish = () => coin.remove();
  flight.oncancel = () => coin.remove();
}
