import { budgetUsage } from '@/components/budget-bar';
import { fillSentence } from '@/lib/errors';
import * as databaseSentences from '@/types/database-errors';
import type { ProjectLimits } from './queries';

/** What a project may still spend on quests, in points. */
export type QuestLimits = {
  /** Most points in all quests of a project on trial; null once a subscription has lifted it (C-22). */
  budgetPoints: number | null;
  /** Points that the budgets of its other quests take of it. */
  usedPoints: number;
  /** Most points of one reward (C-36). */
  rewardPoints: number;
  /** Whether bought points are part of the budget (BEY-20). */
  hasBought: boolean;
};

/** Most participants of one task, and most points of all quests together: what a reward of 1000 for 1000 people costs (QNEW-16). */
export const mostCompletions = 1000;
export const mostBudget = 1_000_000;

/** The trial's terms, until the limits have been read and for a project without quests. */
export const trialLimits: QuestLimits = { budgetPoints: 500, usedPoints: 0, rewardPoints: 500, hasBought: false };

/** Where the limits could not be read: the server judges. */
export const unknownLimits: QuestLimits = { budgetPoints: null, usedPoints: 0, rewardPoints: 1000, hasBought: false };

/** The limits as get_quest_limits answers them, for a quest whose stored budget, 0 for a new one, is part of what is used. */
export function toQuestLimits(row: ProjectLimits, storedBudget = 0): QuestLimits {
  const { budget_limit, budget_used, reward_limit, bought_points } = row;
  return {
    budgetPoints: budget_limit,
    usedPoints: budget_used - storedBudget,
    rewardPoints: reward_limit,
    hasBought: bought_points > 0,
  };
}

/** The sentence for a total over what is left of the trial's budget, or of that and what was bought (QNEW-17). */
export function totalLimitMessage({ budgetPoints, hasBought }: QuestLimits): string {
  const sentence = hasBought ? databaseSentences.POINTS_BUDGET_LIMIT : databaseSentences.BUDGET_LIMIT;
  return fillSentence(sentence, budgetPoints ?? 0);
}

/** Points left of the limit after this quest, negative when it is over; null without a limit (QNEW-17). */
export function remainingPoints(
  total: number,
  { budgetPoints, usedPoints }: Pick<QuestLimits, 'budgetPoints' | 'usedPoints'>,
): number | null {
  return budgetPoints === null ? null : budgetPoints - usedPoints - total;
}

/** The most participants that the limit pays for at this reward: the way out that the red bar offers. At least 1. */
export function affordableParticipants(rewardPoints: number, limits: QuestLimits): number {
  const room = remainingPoints(0, limits);
  return room === null || rewardPoints === 0 ? mostCompletions : Math.max(1, Math.floor(room / rewardPoints));
}

/** The arithmetic of the tasks (QEDIT-07): points but for `usage`, which is percent of the budget. */
export type TaskBudget = { allocated: number; budget: number; remaining: number; usage: number };

/** Compares what the tasks can pay out together with the budget. */
export function taskBudget(budget: number, allocated: number): TaskBudget {
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
