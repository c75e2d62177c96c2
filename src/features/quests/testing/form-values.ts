import type { Task } from '../queries';
import { emptyQuest, type QuestFormValues, storedValues, type TaskValues } from '../quest-form';
import { trialLimits } from '../quest-limits';
import type { QuestBounds } from '../quest-problems';
import { questRow, taskRow } from './rows';

/** What may be entered into a new quest on trial. */
export const newBounds: QuestBounds = { limits: trialLimits, stored: null };

/** A new quest with what matters to the test, in the quest and in its one task. */
export function newQuestValues(quest: Partial<QuestFormValues> = {}, task: Partial<TaskValues> = {}): QuestFormValues {
  const tasks = emptyQuest.tasks.map((first) => ({ ...first, instructions: 'Sign up.', ...task }));
  return { ...emptyQuest, title: 'Try it', tasks, ...quest };
}

/** A stored quest of 500 points with two tasks, on trial and without other quests, as it opens in the form. */
export function storedQuest(
  quest: Parameters<typeof questRow>[0] = {},
  tasks: Partial<Task>[] = [{}, { id: 'task-2' }],
) {
  const stored = { quest: questRow(quest), tasks: tasks.map((task) => taskRow(task)) };
  const bounds: QuestBounds = { limits: trialLimits, stored };
  return { bounds, values: storedValues(stored.quest, stored.tasks) };
}
