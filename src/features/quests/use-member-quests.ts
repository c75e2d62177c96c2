import { useQuery } from '@tanstack/react-query';
import { useSession } from '@/lib/auth';
import { questQueries } from './queries';
import type { QuestStates } from './quest';

const none: QuestStates = {};
const noIds: readonly string[] = [];

/** The signed-in member's state in each quest; empty for visitors and while loading. */
export function useOwnQuestStates(): QuestStates {
  const { userId } = useSession();
  return useQuery(questQueries.ownStates(userId ?? '')).data ?? none;
}

/** Ids of the signed-in member's saved quests; empty for visitors and while loading. */
export function useSavedQuestIds(): readonly string[] {
  const { userId } = useSession();
  return useQuery(questQueries.savedIds(userId ?? '')).data ?? noIds;
}

/** Suggested quests for the signed-in member. */
export function useSuggestedQuests(isWanted = true) {
  const { userId } = useSession();
  return useQuery({ ...questQueries.suggested(userId ?? ''), enabled: isWanted && userId !== null });
}
