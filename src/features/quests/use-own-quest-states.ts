import { useQuery } from '@tanstack/react-query';
import { useSession } from '@/lib/auth';
import { questQueries } from './queries';
import type { QuestStates } from './quest';

const none: QuestStates = {};
const noIds: readonly string[] = [];

/** What the signed-in member has done in each quest; nothing for visitors, and while it is not known. */
export function useOwnQuestStates(): QuestStates {
  const { userId } = useSession();
  return useQuery(questQueries.ownStates(userId ?? '')).data ?? none;
}

/** Ids of the quests that the signed-in member saved; none for visitors, and while they are not known. */
export function useSavedQuestIds(): readonly string[] {
  const { userId } = useSession();
  return useQuery(questQueries.savedIds(userId ?? '')).data ?? noIds;
}

/** Quests that the signed-in member could do next. */
export function useSuggestedQuests(isWanted = true) {
  const { userId } = useSession();
  return useQuery({ ...questQueries.suggested(userId ?? ''), enabled: isWanted && userId !== null });
}
