import { budgetUsage } from '@/components/budget-bar';

/** What counts of a task in the budget; points per completion. */
export type TaskCost = { rewardPoints: number; maxCompletions: number };

/** The arithmetic of the editor (QEDIT-07): points but for `usage`, which is percent of the budget. */
export type TaskBudget = { allocated: number; budget: number; remaining: number; usage: number };

/** Adds up what tasks can pay out together and compares it with the budget. */
export function taskBudget(budget: number, tasks: readonly TaskCost[]): TaskBudget {
  const allocated = tasks.reduce((sum, task) => sum + task.rewardPoints * task.maxCompletions, 0);
  return { allocated, budget, remaining: budget - allocated, usage: budgetUsage(allocated, budget) * 100 };
}

/** What stands under the bar, null while there is room (QEDIT-08). */
export function budgetNotice({ remaining, budget }: TaskBudget): string | null {
  if (remaining < 0) return `Over budget by ${-remaining} points!`;
  return remaining === 0 && budget > 0 ? 'Budget fully allocated' : null;
}

/** Why no task can be added, null when one can (QEDIT-09). */
export function addTaskRefusal({ remaining, budget, allocated }: TaskBudget): string | null {
  if (remaining > 0) return null;
  return `Cannot add more tasks. You have ${budget} points budget and have already allocated ${allocated} points to existing tasks.`;
}

/** Why the quest cannot be saved, null when its tasks fit the budget (QEDIT-13). */
export function overBudgetMessage({ allocated, budget }: TaskBudget): string | null {
  if (allocated <= budget) return null;
  return `Cannot save: Total task points (${allocated}) exceed your budget (${budget} points). Please reduce task points or increase your budget.`;
}
