import { budgetUsage } from '@/components/budget-bar';
import { fillSentence } from '@/lib/errors';
import * as databaseSentences from '@/types/database-errors';
import type { ProjectLimits } from './queries';

/** Limits of a project, in points. */
export type QuestLimits = {
  /** Maximum points in all quests of a project on trial; null when lifted by a subscription (C-22). */
  budgetPoints: number | null;
  /** Points of it used by the budgets of its other quests. */
  usedPoints: number;
  /** Maximum points of one reward (C-36). */
  rewardPoints: number;
  /** How many quests the project may have; null without a limit. */
  questLimit: number | null;
  /** Whether bought points are part of the budget (BEY-20). */
  hasBought: boolean;
  /** Whether the limits are those of the beta: sentences speak of it only while it is on (C-69). */
  isBeta: boolean;
};

/**
 * Maximum participants of one task, and maximum points of all quests together: a reward of 1000 for 1000 people
 * (QNEW-16).
 */
export const mostCompletions = 1000;
export const mostBudget = 1_000_000;

/** Used when the limits could not be loaded: the server decides. */
export const unknownLimits: QuestLimits = {
  budgetPoints: null,
  usedPoints: 0,
  rewardPoints: 1000,
  questLimit: null,
  hasBought: false,
  isBeta: false,
};

/** The limits from get_quest_limits, for a quest whose stored budget (0 for a new one) is part of what is used. */
export function toQuestLimits(row: ProjectLimits, isBeta: boolean, storedBudget = 0): QuestLimits {
  const { budget_limit, budget_used, reward_limit, quest_limit, bought_points } = row;
  return {
    budgetPoints: budget_limit,
    usedPoints: budget_used - storedBudget,
    rewardPoints: reward_limit,
    questLimit: quest_limit,
    hasBought: bought_points > 0,
    isBeta,
  };
}

/** Error for a total that exceeds the rest of the trial's budget, including bought points (QNEW-17). */
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

/** Maximum participants that the limit covers at this reward, as suggested by the red bar. At least 1. */
export function affordableParticipants(rewardPoints: number, limits: QuestLimits): number {
  const room = remainingPoints(0, limits);
  return room === null || rewardPoints === 0 ? mostCompletions : Math.max(1, Math.floor(room / rewardPoints));
}

/** Budget figures of the tasks (QEDIT-07), in points; `usage` in percent of the budget. */
export type TaskBudget = { allocated: number; budget: number; remaining: number; usage: number };

/** Compares what the tasks can pay out together with the budget. */
export function taskBudget(budget: number, allocated: number): TaskBudget {
  return { allocated, budget, remaining: budget - allocated, usage: budgetUsage(allocated, budget) * 100 };
}

/** Warning below the bar, null while there is room (QEDIT-08). */
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
