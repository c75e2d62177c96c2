import { type Quest, questPhase, remainingSlots, type Task, type TaskCounts } from '@/features/quests';
import { canTryAgain, isAppealOpen, type Submission } from '@/features/submissions';
import type { Viewer } from './use-quest';

/** The next action open to a viewer of a quest (C-72). */
export type NextStep =
  | { kind: 'join' | 'waiting' | 'full' | 'upcoming' | 'ended' | 'paused' | 'closed' | 'complete' | 'none' }
  /** A first proof, another one after a rejection, or the next task after a completed one. */
  | { kind: 'prove' | 'retry' | 'continue'; taskId: string };

type StepTask = Pick<Task, 'id' | 'max_completions' | 'approved_count' | 'pending_count' | 'kept_count'>;

type Situation = {
  quest: Pick<Quest, 'status' | 'starts_at' | 'ends_at'>;
  /** In display order. */
  tasks: readonly StepTask[];
  viewer: Viewer;
  submissions: readonly Pick<Submission, 'task_id' | 'status' | 'kept_until' | 'appealed_at' | 'is_slot_reopened'>[];
  /** Fresh counts by task id. */
  counts: Readonly<Record<string, TaskCounts>>;
};

/** Why a quest is not listed: paused by its project, held by an admin, or over. */
const offBoard = { draft: 'paused', closed: 'closed' } as const;

export function nextStep({ quest, tasks, viewer, submissions, counts }: Situation): NextStep {
  if (viewer === 'owner' || tasks.length === 0) return { kind: 'none' };
  const phase = quest.status === 'published' ? questPhase(quest) : offBoard[quest.status];
  if (viewer === 'visitor') return { kind: phase === 'open' || phase === 'upcoming' ? 'join' : phase };

  const states = new Map(submissions.map(({ task_id, status }) => [task_id, status]));
  const countOf = (status: Submission['status']) => tasks.filter(({ id }) => states.get(id) === status).length;
  if (countOf('approved') === tasks.length) return { kind: 'complete' };

  const isFree = (task: StepTask) => remainingSlots({ ...task, ...counts[task.id] }) > 0;
  const free = phase === 'open' ? tasks.filter(isFree) : [];
  const rejected = new Map(
    submissions.filter(({ status }) => status === 'rejected').map((each) => [each.task_id, each]),
  );
  const again = (phase === 'open' ? tasks : []).find((task) => {
    const submission = rejected.get(task.id);
    return submission && canTryAgain(submission, isFree(task));
  });
  if (again) return { kind: 'retry', taskId: again.id };
  const open = free.find(({ id }) => !states.has(id));
  if (open) return { kind: countOf('approved') > 0 ? 'continue' : 'prove', taskId: open.id };
  if (countOf('pending') > 0 || submissions.some(isAppealOpen)) return { kind: 'waiting' };
  return { kind: phase === 'open' ? 'full' : phase };
}
