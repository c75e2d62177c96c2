import * as z from 'zod/mini';
import { budgetUsage } from '@/components/budget-bar';
import { type ErrorOverrides, fillSentence } from '@/lib/errors';
import { outcomeUnknownSentence } from '@/lib/send-once';
import { databaseSentences } from '@/types/database-errors';
import type { Quest, Task } from './queries';

/** The task types that the editor offers; a stored `others` is kept until another is chosen (C-33). */
export const taskTypes = ['visit', 'signup', 'follow', 'share', 'custom'] as const;
export const proofTypes = ['screenshot', 'link', 'text'] as const;

/** One task in the editor. */
export type TaskValues = {
  /** Null for a task that was added here and is not stored yet. */
  taskId: string | null;
  title: string;
  type: Task['type'];
  instructions: string;
  /** Points per completion. */
  rewardPoints: number;
  maxCompletions: number;
  requiresProof: boolean;
  proofType: Task['proof_type'];
};

/** The edit screen's form (QEDIT-04, QEDIT-05). */
export type QuestEditValues = {
  title: string;
  summary: string;
  details: string;
  budgetPoints: number;
  tasks: TaskValues[];
};

const budgetRange = { min: 100, max: 5000 } as const;
const pointsRange = { min: 10, max: 500 } as const;
/** What a stored budget below the least is shown as (QEDIT-11). */
const budgetWhenTooSmall = 500;
const usualReward = 50;

function taskValues(task: Task): TaskValues {
  return {
    taskId: task.id,
    title: task.title,
    type: task.type,
    instructions: task.instructions_md,
    rewardPoints: task.reward_points,
    maxCompletions: task.max_completions,
    requiresProof: task.requires_proof,
    proofType: task.proof_type,
  };
}

/** The form of a stored quest. */
export function questEditValues(quest: Quest, tasks: readonly Task[]): QuestEditValues {
  return {
    title: quest.title,
    summary: quest.summary,
    details: quest.details_md,
    budgetPoints: quest.budget_points < budgetRange.min ? budgetWhenTooSmall : quest.budget_points,
    tasks: tasks.map(taskValues),
  };
}

/** A new task: 50 points, or what is left of the budget when that is less (QEDIT-06). */
export function newTask(values: Pick<QuestEditValues, 'budgetPoints' | 'tasks'>): TaskValues {
  const { remaining } = taskBudget(values.budgetPoints, values.tasks);
  return {
    taskId: null,
    title: '',
    type: 'visit',
    instructions: '',
    rewardPoints: Math.max(0, Math.min(usualReward, remaining)),
    maxCompletions: 1,
    requiresProof: true,
    proofType: 'screenshot',
  };
}

/** Arguments of update_campaign; tasks in their new order, those left out are deleted (QEDIT-14). */
export function questEditPayload(values: QuestEditValues) {
  return {
    quest: {
      title: values.title.trim(),
      summary: values.summary.trim(),
      details_md: values.details.trim(),
      budget_points: values.budgetPoints,
    },
    tasks: values.tasks.map((task) => ({
      ...(task.taskId !== null && { id: task.taskId }),
      title: task.title.trim(),
      type: task.type,
      instructions_md: task.instructions.trim(),
      reward_points: task.rewardPoints,
      max_completions: task.maxCompletions,
      requires_proof: task.requiresProof,
      proof_type: task.proofType,
    })),
  };
}
/** Proofs that wait in stored tasks which the form no longer has: saving has to decide them (C-98). */
export function removedWaiting(values: Pick<QuestEditValues, 'tasks'>, stored: readonly Task[]): number {
  const kept = new Set(values.tasks.map(({ taskId }) => taskId));
  return stored.reduce((sum, task) => sum + (kept.has(task.id) ? 0 : task.pending_count), 0);
}

/** What a failed save reads. Only what is known to have failed is called that (C-99). */
export const updateQuestErrors: ErrorOverrides = {
  codes: { OUTCOME_UNKNOWN: outcomeUnknownSentence },
  prefix: 'Failed to update quest',
};

export type QuestEditPayload = ReturnType<typeof questEditPayload>;

const budgetMessage = databaseSentences.BUDGET_RANGE;
const pointsMessage = fillSentence(databaseSentences.TASK_POINTS_RANGE, pointsRange.min, pointsRange.max);
const completionsMessage = databaseSentences.TASK_COMPLETIONS_MIN;

const filled = (message: string) => z.string().check(z.refine((text) => text.trim() !== '', message));

const taskSchema = z.object({
  taskId: z.nullable(z.string()),
  title: filled('Task title is required'),
  type: z.enum([...taskTypes, 'others']),
  instructions: filled('Task instructions are required'),
  rewardPoints: z.int().check(z.gte(pointsRange.min, pointsMessage), z.lte(pointsRange.max, pointsMessage)),
  maxCompletions: z.int().check(z.gte(1, completionsMessage)),
  requiresProof: z.boolean(),
  proofType: z.enum(proofTypes),
});

/** The messages beside the fields; on saving, `saveProblem` words the first of them as an alert (C-57). */
export const questEditSchema = z.object({
  title: filled('Quest title is required'),
  summary: filled('Quest summary is required'),
  details: filled('Quest details are required'),
  budgetPoints: z.int().check(z.gte(budgetRange.min, budgetMessage), z.lte(budgetRange.max, budgetMessage)),
  tasks: z.array(taskSchema),
});

function taskProblem(task: TaskValues, number: number): string | null {
  if (task.title.trim() === '') return fillSentence(databaseSentences.TASK_TITLE_REQUIRED, number);
  if (task.instructions.trim() === '') return fillSentence(databaseSentences.TASK_INSTRUCTIONS_REQUIRED, number);
  if (task.rewardPoints < pointsRange.min || task.rewardPoints > pointsRange.max) return pointsMessage;
  return task.maxCompletions < 1 ? completionsMessage : null;
}

/** The alert that saving shows, null when everything may be saved (QEDIT-10..13). */
export function saveProblem(values: QuestEditValues): string | null {
  if (values.title.trim() === '') return databaseSentences.TITLE_REQUIRED;
  if (values.summary.trim() === '') return databaseSentences.SUMMARY_REQUIRED;
  if (values.details.trim() === '') return 'Please enter the quest details.';
  if (values.budgetPoints < budgetRange.min || values.budgetPoints > budgetRange.max) return budgetMessage;
  for (const [index, task] of values.tasks.entries()) {
    const problem = taskProblem(task, index + 1);
    if (problem) return problem;
  }
  return overBudgetMessage(taskBudget(values.budgetPoints, values.tasks));
}

/** What counts of a task in the budget; points per completion. */
type TaskCost = { rewardPoints: number; maxCompletions: number };

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
  return fillSentence(databaseSentences.OVER_BUDGET, allocated, budget);
}
