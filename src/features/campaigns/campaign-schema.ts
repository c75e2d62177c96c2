import * as z from 'zod/mini';
import {
  budgetRange,
  type CampaignFormValues,
  pointsRange,
  proofTypes,
  type TaskValues,
  taskTypes,
} from './campaign-form';
import { overBudgetMessage, taskBudget } from './task-budget';

const budgetMessage = 'Budget must be between 100 and 5000 points.';
const pointsMessage = 'Points must be between 10 and 500';
const completionsMessage = 'Must allow at least 1 completion';

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
export const campaignSchema = z.object({
  title: filled('Campaign title is required'),
  summary: filled('Campaign summary is required'),
  details: filled('Campaign details are required'),
  budgetPoints: z.int().check(z.gte(budgetRange.min, budgetMessage), z.lte(budgetRange.max, budgetMessage)),
  tasks: z.array(taskSchema),
});

function taskProblem(task: TaskValues, number: number): string | null {
  if (task.title.trim() === '') return `Please enter a title for Task ${number}.`;
  if (task.instructions.trim() === '') return `Please enter instructions for Task ${number}.`;
  if (task.rewardPoints < pointsRange.min || task.rewardPoints > pointsRange.max) return pointsMessage;
  return task.maxCompletions < 1 ? completionsMessage : null;
}

/** The alert that saving shows, null when everything may be saved (QEDIT-10..13). */
export function saveProblem(values: CampaignFormValues): string | null {
  if (values.title.trim() === '') return 'Please enter a campaign title.';
  if (values.summary.trim() === '') return 'Please enter a campaign summary.';
  if (values.details.trim() === '') return 'Please enter the campaign details.';
  if (values.budgetPoints < budgetRange.min || values.budgetPoints > budgetRange.max) return budgetMessage;
  for (const [index, task] of values.tasks.entries()) {
    const problem = taskProblem(task, index + 1);
    if (problem) return problem;
  }
  return overBudgetMessage(taskBudget(values.budgetPoints, values.tasks));
}
