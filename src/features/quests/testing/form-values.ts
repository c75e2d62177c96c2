import type { Task } from '../queries';
import { emptyQuest, type QuestFormValues, storedValues, type TaskValues } from '../quest-form';
import type { QuestLimits } from '../quest-limits';
import type { QuestBounds } from '../quest-problems';
import { questRow, taskRow } from './rows';

/** The trial's limits for a project without quests. */
export const trialLimits: QuestLimits = {
  budgetPoints: 500,
  usedPoints: 0,
  rewardPoints: 500,
  questLimit: 1,
  hasBought: false,
  isBeta: false,
};

/** Validation context of a new quest on trial. */
export const newBounds: QuestBounds = { limits: trialLimits, stored: null };

/** Form values of a new quest; override what matters in the quest and its only task. */
export function newQuestValues(quest: Partial<QuestFormValues> = {}, task: Partial<TaskValues> = {}): QuestFormValues {
  const tasks = emptyQuest.tasks.map((first) => ({ ...first, instructions: 'Sign up.', ...task }));
  return { ...emptyQuest, title: 'Try it', tasks, ...quest };
}

/** Form values of a stored quest: 500 points, two tasks, on trial, the project's only quest. */
export function storedQuest(
  quest: Parameters<typeof questRow>[0] = {},
  tasks: Partial<Task>[] = [{}, { id: 'task-2' }],
) {
  const stored = { quest: questRow(quest), tasks: tasks.map((task) => taskRow(task)) };
  const bounds: QuestBounds = { limits: trialLimits, stored };
  return { bounds, values: storedValues(stored.quest, stored.tasks) };
}
