import type { Task } from '@/features/quests';
import type { Submission } from '@/features/submissions';

export type QuestProgress = {
  done: number;
  total: number;
  /** Points of the approved submissions, as promised when they were made. */
  earned: number;
};

/** A member's progress in a quest (C-39). */
export function questProgress(
  tasks: readonly Pick<Task, 'id'>[],
  submissions: readonly Pick<Submission, 'task_id' | 'status' | 'reward_points'>[],
): QuestProgress {
  const ids = new Set(tasks.map(({ id }) => id));
  const approved = submissions.filter(({ status, task_id }) => status === 'approved' && ids.has(task_id));
  return {
    done: approved.length,
    total: tasks.length,
    earned: approved.reduce((sum, { reward_points }) => sum + reward_points, 0),
  };
}

/** Id of a task's card in the page, for links and for scrolling to it. */
export function taskAnchor(taskId: string): string {
  return `task-${taskId}`;
}
