import type { Campaign, Task } from './queries';
import { taskBudget } from './task-budget';

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
export type CampaignFormValues = {
  title: string;
  summary: string;
  details: string;
  budgetPoints: number;
  tasks: TaskValues[];
};

export const budgetRange = { min: 100, max: 5000 } as const;
export const pointsRange = { min: 10, max: 500 } as const;
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
export function campaignValues(campaign: Campaign, tasks: readonly Task[]): CampaignFormValues {
  return {
    title: campaign.title,
    summary: campaign.summary,
    details: campaign.details_md,
    budgetPoints: campaign.budget_points < budgetRange.min ? budgetWhenTooSmall : campaign.budget_points,
    tasks: tasks.map(taskValues),
  };
}

/** A new task: 50 points, or what is left of the budget when that is less (QEDIT-06). */
export function newTask(values: Pick<CampaignFormValues, 'budgetPoints' | 'tasks'>): TaskValues {
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
export function campaignPayload(values: CampaignFormValues) {
  return {
    campaign: {
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
export type CampaignPayload = ReturnType<typeof campaignPayload>;
