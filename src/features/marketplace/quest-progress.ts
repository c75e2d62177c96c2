import type { Task } from '@/features/quests';
import type { Submission } from '@/features/submissions';

export type QuestProgress = {
  done: number;
  total: number;
  /** Points of the approved submissions, as promised when they were made. */
  earned: number;
  /** The first task not yet approved, where Continue Quest leads (QUEST-09); null when there is none. */
  nextTaskId: string | null;
  /** All tasks are approved (C-39). A quest without tasks is never complete. */
  isComplete: boolean;
};

/** How far a member has come in a quest. `tasks` in their order. */
export function questProgress(
  tasks: readonly Pick<Task, 'id'>[],
  submissions: readonly Pick<Submission, 'task_id' | 'status' | 'reward_points'>[],
): QuestProgress {
  const approved = new Map(
    submissions.filter(({ status }) => status === 'approved').map((submission) => [submission.task_id, submission]),
  );
  const doneTasks = tasks.filter(({ id }) => approved.has(id));
  return {
    done: doneTasks.length,
    total: tasks.length,
    earned: doneTasks.reduce((sum, { id }) => sum + (approved.get(id)?.reward_points ?? 0), 0),
    nextTaskId: tasks.find(({ id }) => !approved.has(id))?.id ?? null,
    isComplete: tasks.length > 0 && doneTasks.length === tasks.length,
  };
}

/** Id of a task's card in the page, for links and for scrolling to it. */
export function taskAnchor(taskId: string): string {
  return `task-${taskId}`;
}
