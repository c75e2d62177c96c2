import { type Quest, remainingSlots, type Task, type TaskCounts } from '@/features/quests';
import { canTryAgain, isAppealOpen, type Submission } from '@/features/submissions';
import type { Viewer } from './use-quest';

/** What a viewer of a quest can really do next (C-72). */
export type NextStep =
  | { kind: 'join' | 'waiting' | 'full' | 'closed' | 'complete' | 'none' }
  /** A first proof, another one after a rejection, or the next task after one that is done. */
  | { kind: 'prove' | 'retry' | 'continue'; taskId: string };

type StepTask = Pick<Task, 'id' | 'max_completions' | 'approved_count' | 'pending_count' | 'kept_count'>;

type Situation = {
  quest: Pick<Quest, 'status'>;
  /** In their order. */
  tasks: readonly StepTask[];
  viewer: Viewer;
  submissions: readonly Pick<Submission, 'task_id' | 'status' | 'kept_until' | 'appealed_at'>[];
  /** Fresh counts by task id. */
  counts: Readonly<Record<string, TaskCounts>>;
};

export function nextStep({ quest, tasks, viewer, submissions, counts }: Situation): NextStep {
  if (viewer === 'owner' || tasks.length === 0) return { kind: 'none' };
  if (viewer === 'visitor') return { kind: quest.status === 'published' ? 'join' : 'closed' };

  const states = new Map(submissions.map(({ task_id, status }) => [task_id, status]));
  const countOf = (status: Submission['status']) => tasks.filter(({ id }) => states.get(id) === status).length;
  if (countOf('approved') === tasks.length) return { kind: 'complete' };

  const isFree = (task: StepTask) => remainingSlots({ ...task, ...counts[task.id] }) > 0;
  const free = quest.status === 'published' ? tasks.filter(isFree) : [];
  const rejected = new Map(
    submissions.filter(({ status }) => status === 'rejected').map((each) => [each.task_id, each]),
  );
  const again = (quest.status === 'published' ? tasks : []).find((task) => {
    const submission = rejected.get(task.id);
    return submission && canTryAgain(submission, isFree(task));
  });
  if (again) return { kind: 'retry', taskId: again.id };
  const open = free.find(({ id }) => !states.has(id));
  if (open) return { kind: countOf('approved') > 0 ? 'continue' : 'prove', taskId: open.id };
  if (countOf('pending') > 0 || submissions.some(isAppealOpen)) return { kind: 'waiting' };
  return { kind: quest.status === 'published' ? 'full' : 'closed' };
}
