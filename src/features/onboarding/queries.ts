import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type QuestListItem, remainingSlots, type Task } from '@/features/quests';
import { supabase, unwrap } from '@/lib/supabase';

const keys = {
  all: ['onboarding'] as const,
  quickTasks: (questIds: readonly string[]) => ['onboarding', 'quick-tasks', questIds] as const,
};

export const onboardingQueries = {
  keys,

  /**
   * The one-press tasks of these quests, which need no proof (C-05). While a changed list loads, the previous tasks
   * stay, so that what a member is doing does not vanish because some quest filled up.
   */
  quickTasks: (questIds: readonly string[]) =>
    queryOptions({
      queryKey: keys.quickTasks(questIds),
      queryFn: ({ signal }): Promise<Task[]> =>
        unwrap(
          supabase()
            .from('tasks')
            .select('*')
            .in('campaign_id', questIds)
            .eq('requires_proof', false)
            .in('verification', ['review', 'automatic'])
            .abortSignal(signal),
        ),
      placeholderData: keepPreviousData,
    }),
};

export type QuickQuest = { quest: QuestListItem; task: Task };

/**
 * The quest to start with: the one with the best-paid one-press task, among those with a free spot that the member has
 * not started. Null when there is none.
 */
export function pickQuickQuest(
  quests: readonly QuestListItem[],
  tasks: readonly Task[],
  begun: Readonly<Record<string, unknown>>,
): QuickQuest | null {
  const open = tasks.flatMap((task) => {
    const quest = quests.find(({ id }) => id === task.campaign_id);
    return quest && !(quest.id in begun) && remainingSlots(task) > 0 ? [{ quest, task }] : [];
  });
  return open.toSorted((a, b) => b.task.reward_points - a.task.reward_points)[0] ?? null;
}
